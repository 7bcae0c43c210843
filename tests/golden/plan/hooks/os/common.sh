# frozen for tests/golden/plan.t
