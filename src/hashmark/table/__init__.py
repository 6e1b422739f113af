"""Engine core, game sessions, user files and the compiler: what every game shares."""
