"""Whether tests could ever fail."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.audit.asserting import is_test_file, read_tests


@pytest.mark.parametrize(
    "body",
    [
        "assert add(1, 2) == 3",
        "with pytest.raises(ValueError):\n        add()",
        "self.assertEqual(add(1, 2), 3)",
        "_check(add)",
        "mock.assert_called_once()",
        "raise AssertionError",
        "expect(page).to_have_title('x')",
        "assert False",
        "self.fail('x')",
        "_check('one')",
        "assert add(1, 2) == add(1, 2)",
        "try:\n        assert add(1, 2)\n    except AssertionError:\n        raise",
        "try:\n        add()\n    except Exception:\n        pass\n    assert add(1, 2)",
        "if fast:\n        return\n    assert add(1, 2)",
    ],
)
def test_a_test_with_an_assertion_can_fail(body: str) -> None:
    text = f"def _check(f):\n    assert f\n\ndef test_add():\n    {body}\n"
    assert read_tests("tests/test_a.py", text)[:2] == (1, 1)


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "add(1, 2)",
        "assert True",
        "print('ok')",
        "assert 1",
        "assert add(1, 2) or True",
        "assert (add(1, 2) == 3, 'a pair is always true')",
        "three = 3\n    assert three == three",
        "self.assertTrue(True)",
        "self.assertEqual(1, 1, 'always')",
        "return\n    assert add(1, 2) == 3",
        "if False:\n        assert add(1, 2) == 3",
        "try:\n        assert add(1, 2) == 3\n    except AssertionError:\n        pass",
        "try:\n        assert add(1, 2) == 3\n    except:\n        print('never mind')",
        "with suppress(Exception):\n        assert add(1, 2) == 3",
    ],
)
def test_a_test_that_asserts_nothing_cannot_fail(body: str) -> None:
    found = read_tests("tests/test_a.py", f"def test_add():\n    {body}\n")
    assert (found.functions, found.asserting, found.idle) == (1, 0, ("test_add",))


def test_tests_of_classes_and_skipped_ones_are_counted() -> None:
    text = (
        "import pytest\n\nclass TestA:\n    def test_one(self):\n        assert f()\n\n"
        "@pytest.mark.skip(reason='x')\ndef test_two():\n    assert f()\n\n"
        "@pytest.mark.xfail\nasync def test_three():\n    assert f()\n"
    )
    found = read_tests("tests/test_a.py", text)
    assert (found.functions, found.asserting, found.skipped) == (3, 3, 2)
    assert found.names == ("TestA.test_one", "test_two", "test_three")


@pytest.mark.parametrize(
    "first", ["pytest.skip('later')", "self.skipTest('later')", "pytest.xfail('later')"]
)
def test_a_test_that_begins_by_skipping_itself_is_skipped(first: str) -> None:
    text = f"def test_add():\n    {first}\n    assert add(1, 2) == 3\n"
    assert read_tests("tests/test_a.py", text).skipped == 1
    seldom = f"def test_add():\n    if slow:\n        {first}\n    assert add(1, 2) == 3\n"
    assert read_tests("tests/test_a.py", seldom).skipped == 0


@pytest.mark.parametrize(
    ("path", "text", "asserting"),
    [
        ("a_test.go", "func TestA(t *testing.T) { if x { t.Fatal(1) } }", 1),
        ("a_test.go", "func TestA(t *testing.T) { run() } // t.Fatal", 0),
        ("src/a.test.ts", "test('a', () => { expect(add(1)).toBe(1) })", 1),
        ("src/a.test.ts", "test('a', () => { expect(true).toBe(true) })", 0),
        ("src/a.test.ts", "test('a', () => { expect('a').toEqual('a'); run() })", 0),
        ("src/a.test.ts", "test('a', () => { run() })", 0),
        ("tests/a.rs", "#[test] fn a() { assert_eq!(run(), 1); }", 1),
        ("tests/a.rs", "#[test] fn a() { run(); assert_eq!(1, 1); assert!(true); }", 0),
        ("tests/a.rs", "#[test] fn a() { if run() { assert!(false) } }", 1),
        ("tests/a.rs", "#[test] fn a() { run(); }", 0),
        ("tests/broken.py", "def test_a(:\n assert", 1),
    ],
)
def test_other_languages_are_searched_for_their_words(path: str, text: str, asserting: int) -> None:
    assert read_tests(path, text).asserting == asserting


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/test_a.py", True),
        ("pkg/test_a.py", True),
        ("a/b_test.go", True),
        ("src/a.spec.tsx", True),
        ("src/FooTest.java", True),
        ("tests/data/a.json", False),
        ("src/attest.py", False),
        ("docs/tests.md", False),
    ],
)
def test_test_files_are_told_by_their_names(path: str, expected: bool) -> None:
    assert is_test_file(path) == expected


@given(st.text(max_size=300))
def test_any_text_can_be_a_test_file(text: str) -> None:
    found = read_tests("tests/test_a.py", text)
    assert 0 <= found.asserting <= found.functions


ASSERTING = {
    "a.test.js": [
        "test('adds', () => { expect(add(1)).toBe(2); });",
        "test('adds', () => {\n  expect(\n    add(1)\n  )\n    .not.toBe(2);\n});",
        "it('adds', () => { assert.equal(add(1), 2); });",
        "it('adds', () => { expect(add(1)).to.be.true; });",
        "it('adds', () => { add(1).should.equal(2); });",
        "test('adds', t => { t.is(add(1), 2); });",
        "it('fails', async () => { await expect(add()).rejects.toThrow(); });",
    ],
    "tests/a.rs": [
        "#[test]\nfn adds() { assert_eq!(add(1), 2); }",
        "#[test]\nfn a() { add().unwrap(); }",
        "#[test]\nfn it_is<'a>(x: &'a str) { assert!(f(x), \"no\"); }",
    ],
    "a_test.go": [
        'func TestA(t *testing.T) { if add(1) != 2 { t.Fatal("no") } }',
        "func TestA(t *testing.T) {\n\trequire.Equal(t, 2, add(1))\n}",
        "func TestA(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip()\n\t}\n\tt.Error()\n}",
    ],
    "tests/a.cpp": [
        "TEST(A, adds) { EXPECT_EQ(add(1), 2); }",
        'TEST_CASE("a") { REQUIRE(add(1) == 2); }',
        "int main() { return add(1) != 2 ? 1 : 0; }",
        'TEST_CASE("a") { CHECK(add(1) == 2); }',
    ],
    "ATest.java": [
        "import org.junit.Test;\n@Test void adds() { assertEquals(2, add(1)); }",
        "@Test void adds() { verify(it).add(1); }",
    ],
    "ATest.kt": ["@Test fun adds() { add(1) shouldBe 2 }"],
    "ATests.cs": ["[Fact] public void Adds() { Add(1).Should().Be(2); }"],
    "a_spec.rb": ["it 'adds' do\n  expect(add(1)).to eq 2\nend"],
    "tests/a_test.rb": [
        "def test_a\n  _(add(1)).must_equal 2\nend",
        "def test_a\n  refute add(1)\nend",
    ],
    "a_test.exs": ['test "adds" do\n  assert add(1) == 2\nend'],
    "a_test.dart": ["test('adds', () { expect(add(1), 2); });"],
    "ATests.swift": [
        "func testA() { XCTAssertEqual(add(1), 2) }",
        "@Test func a() { #expect(add(1) == 2) }",
    ],
    "tests/all.sh": ["set -e\npython3 -m unittest", '[ "$(add 1)" = 2 ]', "diff a b"],
    "tests/a.bats": ['@test "adds" {\n  run add 1\n  [ "$output" = 2 ]\n}'],
}
IDLE = {
    "a.test.js": [
        "it('should add as we expect', () => { add(1); });",
        "import { expect } from 'vitest';\ntest('adds', () => { expect(add(1)); });",
        "const assert = require('assert');\ntest('adds', () => { [[1, 2]].map(add); });".replace(
            "const assert", "const { it }"
        ),
        "test('adds', () => { expect(add(1))\n});",
        "test('adds', () => { // expect(add(1)).toBe(2)\n  add(1); });",
    ],
    "tests/a.rs": ['#[test]\nfn adds() { let _ = add(1); println!("should assert!"); }'],
    "a_test.go": [
        "func TestA(t *testing.T) { t.Log(add(1)) }",
        'func TestA(t *testing.T) {\n\tt.Skip("later")\n\tt.Error(add(1))\n}',
    ],
    "ATest.java": ["import static org.junit.Assert.*;\n@Test void adds() { add(1); }"],
    "tests/all.sh": ["#!/bin/sh\necho 12 passed\nexit 0"],
    "tests/a.bats": ['@test "adds" {\n  run add 1\n}'],
    "a_spec.rb": ["it 'should add' do\n  add(1)\nend"],
}


@pytest.mark.parametrize(
    ("path", "text"), [(p, t) for p, texts in ASSERTING.items() for t in texts]
)
def test_tests_of_other_languages_that_can_fail_are_known(path: str, text: str) -> None:
    assert is_test_file(path)
    assert read_tests(path, text).asserting == 1


@pytest.mark.parametrize(("path", "text"), [(p, t) for p, texts in IDLE.items() for t in texts])
def test_tests_of_other_languages_that_cannot_fail_are_known(path: str, text: str) -> None:
    assert read_tests(path, text).asserting == 0
