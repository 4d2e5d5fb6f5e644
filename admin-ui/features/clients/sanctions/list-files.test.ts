import { describe, expect, test } from 'bun:test'
import { columnFiles, missingFiles } from './list-files.ts'

const files = (...names: string[]) => names.map((name) => ({ name }))

describe('the files of a list', () => {
  test('OFAC’s three files are recognised by their names', () => {
    const { sdn, alt, add } = columnFiles(files('ADD.CSV', 'sdn.csv', 'alt (1).csv'))
    expect([sdn?.name, alt?.name, add?.name]).toEqual(['sdn.csv', 'alt (1).csv', 'ADD.CSV'])
    expect(columnFiles(files('sdn.xml', 'address.csv')).sdn).toBeUndefined()
    expect(columnFiles(files('address.csv')).add).toBeUndefined()
  })

  test.each([
    ['ofac_sdn', [], /Choose the file/],
    ['ofac_sdn', ['sdn.xml'], null],
    ['ofac_sdn', ['sdn.csv'], /together/],
    ['ofac_sdn', ['sdn.csv', 'alt.csv'], /together/],
    ['ofac_sdn', ['sdn.csv', 'alt.csv', 'add.csv'], null],
    ['ofac_sdn', ['sdn.csv', 'alt.csv', 'add.csv', 'x.csv'], /no other/],
    ['ofac_sdn', ['a.xml', 'b.xml'], /alone/],
    ['eu', ['a.xml'], null],
    ['un', ['a.xml', 'b.xml'], /one file/],
  ] as const)('missing files of the list %s are named: %j', (source, names, words) => {
    const found = missingFiles(source, files(...names))
    if (words === null) expect(found).toBeNull()
    else expect(found).toMatch(words)
  })
})
