# A stand-in: the tests of the matrix look whether it exists, and hash it.
