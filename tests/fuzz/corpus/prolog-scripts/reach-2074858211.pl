% Consult
:- consult('/etc/passwd').
:- use_module(library(http)).
move(_, _) :- js_eval("1", _).
