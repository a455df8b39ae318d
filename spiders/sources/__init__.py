"""Every source that can be crawled, one file each: what stands in this folder is a source."""

from importlib import import_module
from inspect import isclass
from pkgutil import iter_modules

from towbench.spiders.site import SiteSpider


def find_sources() -> dict[str, type[SiteSpider]]:
    """The spiders of the modules in this folder, by source name."""
    found: dict[str, type[SiteSpider]] = {}
    for module in iter_modules(__path__):
        for thing in vars(import_module(f"{__name__}.{module.name}")).values():
            if isclass(thing) and issubclass(thing, SiteSpider) and thing is not SiteSpider:
                found[thing.name] = thing
    return dict(sorted(found.items()))


SOURCES = find_sources()
