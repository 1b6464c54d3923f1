"""`make demo`: a plan, and a real backup session in pods, on a cluster of its own or on a given one."""
