% Files
:- initialization((open('/etc/passwd', read, S), read(S, _))).
move(_, x).
