"""Prolog rule bases: uploaded by researchers, tried out, and put into play beside the composed strategies."""
