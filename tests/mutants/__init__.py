"""Testing the hidden tests: wrong answers that they must catch. Run it by `make mutants`."""
