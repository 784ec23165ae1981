"""Starts the workbench: processes, routes and the page, behind the gate."""

# ruff: noqa: TID253  (this file is imported only once the workbench starts)
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse, PlainTextResponse, StreamingResponse
from nicegui import core, ui
from nicegui.client import Client
from starlette.staticfiles import StaticFiles

from chainlist.app.workbench import gallery, learning
from chainlist.app.workbench.page import build_page
from chainlist.app.workbench.pool import Pool
from chainlist.app.workbench.results import ResultStore
from chainlist.app.workbench.security import Gate
from chainlist.app.workbench.session import COMPILE_SECONDS, Bench
from chainlist.app.workbench.settings import Settings

MOST_MESSAGE = 4_000_000  # bytes that a page may send at a time
RECONNECT_SECONDS = 60.0  # that a page may be cut off before it is given up, and the browser loads a new one
_PLAIN = {"Content-Encoding": "identity", "Cache-Control": "no-store"}  # bulk data is not worth zipping
_FAVICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><g fill="none" stroke="#0b66b2" stroke-width="3">'
    '<path d="M7 6 16 17 25 12"/></g><g fill="#0b66b2"><circle cx="7" cy="6" r="3.4"/><circle cx="16" cy="17" r="3.8"/>'
    '<circle cx="25" cy="12" r="4.6" fill="#d1550b"/></g></svg>'
)


def make_app(settings: Settings) -> FastAPI:
    """The application. NiceGUI keeps its state per process: one workbench in each."""
    bench = Bench(
        settings,
        checks=Pool(1, most_waiting=1_000),
        runs=Pool(settings.runs_at_a_time, most_waiting=settings.waiting_runs),
        results=ResultStore(settings.results_kept, settings.results_megabytes),
    )

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        await asyncio.gather(bench.checks.start(), bench.runs.start())
        for _ in range(bench.runs.size):
            bench.runs.submit("warm", {"seconds": COMPILE_SECONDS})
        yield
        await asyncio.gather(bench.checks.stop(), bench.runs.stop())
        bench.results.close()

    app = FastAPI(lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    _add_routes(app, bench)

    @ui.page("/", title="chainlist", favicon=_FAVICON)
    def page() -> None:
        build_page(bench)

    core.sio.eio.cors_allowed_origins = None  # the same origin only; the gate says so too
    core.sio.eio.max_http_buffer_size = MOST_MESSAGE
    ui.run_with(
        app,
        title="chainlist",
        dark=None,
        tailwind=False,
        language="en-US",
        show_welcome_message=False,
        reconnect_timeout=RECONNECT_SECONDS,
    )
    app.add_middleware(Gate, settings=settings)
    return app


def _add_routes(app: FastAPI, bench: Bench) -> None:
    package = resources.files("chainlist")
    for path, folder in (("/player", "output/web"), ("/bench", "app/workbench/web")):
        app.mount(path, _Modules(directory=Path(str(package.joinpath(folder)))))

    @app.get("/runs/{key}")
    async def follow_run(key: str) -> Response:
        result = bench.results.get(key)
        if result is None:
            return PlainTextResponse("this result is no longer kept: run again", 404)
        return StreamingResponse(result.follow(), media_type="application/octet-stream", headers=_PLAIN)

    @app.get("/preview/{key}")
    async def preview(key: str) -> Response:
        scene = bench.previews.get(key)
        if scene is None:
            return PlainTextResponse("there is no such picture", 404)
        return Response(scene, media_type="application/octet-stream", headers=_PLAIN)

    @app.post("/gone/{key}")
    async def gone(key: str) -> Response:
        """A tab says that it closes, or is loaded again."""
        if key in bench.sessions:
            bench.sessions[key].be_gone()
        return Response(status_code=204)

    @app.get("/thumbnails/{name:path}")
    async def thumbnail(name: str) -> Response:
        if name not in gallery.examples():
            return PlainTextResponse("there is no such example", 404)
        svg = await asyncio.to_thread(gallery.picture, name)
        return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})

    @app.get("/learn")
    async def learn() -> Response:
        """All pages of the Learn panel."""
        return JSONResponse(await asyncio.to_thread(learning.pages), headers={"Cache-Control": "max-age=600"})

    @app.get("/status")
    async def status() -> Response:
        """For whoever looks after the machine: how busy it is."""
        data = {
            "pages": len(Client.instances),
            "waiting": bench.runs.waiting,
            "results": len(bench.results),
            "replaced": bench.checks.replaced + bench.runs.replaced,
        }
        return JSONResponse(data, headers={"Cache-Control": "no-store"})


class _Modules(StaticFiles):
    """Our scripts and styles; the browser asks each time whether they are still the same."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "no-cache"
        return response


def serve(settings: Settings) -> None:
    """Serve until Ctrl-C."""
    config = uvicorn.Config(
        make_app(settings),
        host=settings.host,
        port=settings.port,
        log_level="warning",
        # Whoever guesses tokens is told apart by the address that the proxy gives.
        forwarded_allow_ips=settings.trusted_proxies,
        ws_max_size=MOST_MESSAGE,
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run()
