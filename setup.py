"""The pages of the guide, which the workbench shows, are those of docs/: a wheel takes a copy of them along."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class WithGuide(build_py):
    def run(self) -> None:
        super().run()
        if self.editable_mode:  # the program reads docs/ itself
            return
        guide = Path(self.build_lib, "chainlist/app/workbench/guide")
        for page in (*Path("docs").glob("*.md"), *Path("docs/language").glob("*.md")):
            copy = guide / page.relative_to("docs")
            copy.parent.mkdir(parents=True, exist_ok=True)
            self.copy_file(str(page), str(copy))


setup(cmdclass={"build_py": WithGuide})
