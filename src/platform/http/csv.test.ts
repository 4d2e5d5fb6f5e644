import { expect, test } from 'bun:test'
import { defuse } from './csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-1+1', "'-1+1"],
  ['x;=HYPERLINK("http://a")', 'x;\'=HYPERLINK("http://a")'],
  ['x,+1', "x,'+1"],
  ['x\t@a', "x\t'@a"],
  ['x\r\n=a\n-b', "x\r\n'=a\n'-b"],
  ['x;"=a', 'x;"\'=a'],
  ['＝1', "'＝1"],
  ['x,-2+cmd', "x,'-2+cmd"],
  ['a;＋1;－2;＠x', "a;'＋1;'－2;'＠x"],
])('%s can be no formula', (text, safe) => expect(defuse(text)).toBe(safe))

test.each(['-12.50', '12', 'Ada; Lovelace', 'a-b, c', 'a = b', '{"a":[1,-5,-2.5],"b":-1}', ''])(
  '%s stays as it is',
  (text) => expect(defuse(text)).toBe(text),
)
