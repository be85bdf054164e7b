from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from smelt.state.codec import manifest_to_json
from smelt.state.documents import encode
from smelt.state.growing import GrowingManifest, head_of
from smelt.state.records import Manifest, ModelRecord
from tests.state.test_codec import manifests, records


@settings(max_examples=30)
@given(manifests, st.lists(st.tuples(st.text(), records), max_size=4))
def test_it_is_written_as_the_whole_manifest_would_be(manifest: Manifest, ended: list[tuple[str, ModelRecord]]) -> None:
    growing = GrowingManifest(manifest)
    for name, record in ended:
        growing.put(name, record)
    whole = replace(manifest, models={**manifest.models, **dict(ended)})
    assert growing.encode(head_of(manifest, manifest.tests)) == encode(manifest_to_json(whole))


def test_words_that_look_like_a_field_are_no_field() -> None:
    words = '\n  "models": null,\n  "selection": null'
    manifest = Manifest(words, 1, words, words, words, words, (words,), models={words: ModelRecord("success")})
    assert GrowingManifest(manifest).encode(head_of(manifest, {})) == encode(manifest_to_json(manifest))
