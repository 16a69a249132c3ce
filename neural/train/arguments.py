# SPDX-License-Identifier: Apache-2.0
"""What the scripts that train and measure models ask of their arguments and of Python. Nothing here needs torch, so `--help` works without it, and
what is wrong is a sentence."""
import argparse
import pathlib
import sys


def count(text):
    """A whole number above 0."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number <= 0:
        raise argparse.ArgumentTypeError(f"it takes a whole number above 0, not `{text}`")
    return number


def amount(text):
    """A finite number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"it takes a number above 0, not `{text}`")
    return number


def check_folder(parser, option, path):
    """Refuses a file that is to be written into a folder that is not there."""
    folder = pathlib.Path(path).parent
    if not folder.is_dir():
        parser.error(f"{option} {path}: there is no folder {folder}; make it, or name another file")


def check_file(parser, what, path):
    """Refuses a file that is to be read, and is not there."""
    if not pathlib.Path(path).is_file():
        parser.error(f"{what} {path}: there is no such file")


def check_checkpoint(parser, path):
    if not pathlib.Path(path).is_file():
        parser.error(f"--resume: there is no checkpoint {path} to go on from; leave out --resume to begin")


def need_torch():
    """Ends with a sentence, if this Python has no torch."""
    try:
        import numpy  # noqa: F401
        import torch  # noqa: F401
    except ImportError as fault:
        sys.exit(f"{sys.executable} has no {fault.name}: install python3-torch (`scripts/setup --test` does), and run this with the Python that has it")
