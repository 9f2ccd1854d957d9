"""Changes to the server that runs the app, and uses of Streamlit's private names."""
