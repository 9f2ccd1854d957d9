"""What one lesson alone needs: live values, frames and specifications of its charts, verdicts, presets."""
