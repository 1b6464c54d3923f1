"""The operator's event side, and the only part that imports kopf: what changed, and what follows of it."""
