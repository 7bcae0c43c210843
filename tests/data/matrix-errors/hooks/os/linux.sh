# A stand-in: the test of mistakes looks whether it exists.
