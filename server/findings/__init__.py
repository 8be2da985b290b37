"""Findings: what the study has found so far, written by researchers, published for everybody who took part."""
