"""What the pages share: shell, lock, knobs, ledger, charts and formats."""
