# One container with the whole app: docker build -t fleet-what-if . && docker run -p 8501:8501 -v polls:/data fleet-what-if
FROM python:3.11-slim

# Nobody in particular: the app needs no rights, and writes nowhere but in /data.
RUN useradd --create-home --uid 10001 app && install -d -o app -g app /data
WORKDIR /app

# The requirements first: they change less often than the app.
COPY constraints.txt requirements.txt requirements-postgres.txt ./
RUN pip install --no-cache-dir -r requirements-postgres.txt

COPY . .
# Nobody may write here later, so the app is compiled now: else each start would do it again, which takes 0.3 s.
RUN python -m compileall -q .
USER app

# Class polls without a database of their own are kept here; a volume lets them outlive the container.
ENV POLLS_FOLDER=/data \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_PORT=8501
VOLUME /data
EXPOSE 8501

HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]

CMD ["python", "-m", "streamlit", "run", "app.py"]
