"""The science: ratings, Rasch model, experts, groups, Turing-test statistics, selection, refinement. Pure functions."""

import os

# Our matrices are small: several BLAS threads per process only wait for each other (measured: three to six times the
# CPU time, more on a busy machine). Work is spread over processes instead. Whoever sets the variable keeps the choice.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
