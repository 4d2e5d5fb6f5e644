import { describe, expect, test } from 'bun:test'
import { EU, OFAC, OFAC_XML, sdnRow, UN, unList } from '../../../testing/fakes/sanctions-lists.ts'
import { text } from './list-facts.ts'
import { parseList } from './list-parsers.ts'

describe('a list file', () => {
  test.each([
    ['three files', OFAC],
    ['sdn.xml', { content: OFAC_XML }],
  ])('OFAC’s list as %s is read with names, strong and weak aliases, births and countries', (_, files) => {
    const entries = parseList('ofac_sdn', files)
    expect(entries).toHaveLength(3)
    expect(entries[0]).toEqual({
      reference: '101',
      kind: 'person',
      names: ['VOLKOV, Sergei Ivanovich', 'BARKOV, Dmitri', 'WOLKOW, Sergej'],
      births: ['1961-03-12'],
      countries: ['RU', 'AE'],
      programme: 'XPROG1',
    })
    expect(entries[1]).toMatchObject({
      kind: 'entity',
      names: ['NORTHWIND SHIPPING LLC', 'SOUTHWIND LINES'],
      births: [],
    })
    // an estimated year is a range; an address without a nationality gives no country
    expect(entries[2]).toMatchObject({ births: ['1968/1972'], countries: [] })
  })

  test.each([
    ['ALT.CSV as SDN.CSV', { ...OFAC, sdn: OFAC.alt }, 'files.sdn', 'columns'],
    ['SDN.CSV as ALT.CSV', { ...OFAC, alt: OFAC.sdn }, 'files.alt', 'columns'],
    ['ADD.CSV as ALT.CSV', { ...OFAC, alt: OFAC.add }, 'files.alt', 'columns'],
    ['ALT.CSV as ADD.CSV', { ...OFAC, add: OFAC.alt }, 'files.add', 'columns'],
    ['a row cut off', { ...OFAC, sdn: OFAC.sdn.slice(0, -60) }, 'files.sdn', 'columns'],
    ['letters for a number', { ...OFAC, sdn: OFAC.sdn.replace('102,', 'x,') }, 'files.sdn', 'columns'],
    ['nobody’s name', { ...OFAC, sdn: sdnRow(101, '', 'individual', 'X', '') }, 'files.sdn', 'columns'],
    ['letters for an alias’s number', { ...OFAC, alt: OFAC.alt.replace(',12,', ',x,') }, 'files.alt', 'columns'],
    ['an empty alias', { ...OFAC, alt: OFAC.alt.replace('SOUTHWIND LINES', '') }, 'files.alt', 'columns'],
    ['letters for an address’s number', { ...OFAC, add: OFAC.add.replace(',22,', ',x,') }, 'files.add', 'columns'],
    ['no alias', { ...OFAC, alt: '\u001a' }, 'files.alt', 'columns'],
    [
      'aliases of another day',
      { ...OFAC, alt: `${OFAC.alt.slice(0, -1)}999,19,"aka","X",-0- ` },
      'files.alt',
      'not_of_this_list',
    ],
    ['SDN.CSV alone', { content: OFAC.sdn }, 'content', 'no_aliases'],
    ['ALT.CSV alone', { content: OFAC.alt }, 'content', 'no_aliases'],
    ['sdn.xml cut off', { content: OFAC_XML.slice(0, OFAC_XML.indexOf('<sdnEntry><uid>103')) }, 'content', 'cut_off'],
    ['the EU’s', { content: EU }, 'content', 'malformed'],
  ])('a list of OFAC is refused with the field’s name: %s', (_, files, field, code) => {
    let found: unknown
    try {
      parseList('ofac_sdn', files)
    } catch (error) {
      found = error
    }
    expect(found).toMatchObject({ name: 'ListMalformed', field, code })
  })

  test('an incomplete list of OFAC is refused, saying the row, the missing part or the missing aliases', () => {
    const person = sdnRow(101, 'VOLKOV, Sergei', 'individual', 'X', '')
    const [end, stranger] = ['\u001a', '999,19,"aka","X",-0- ']
    for (const [files, said] of [
      [{ ...OFAC, sdn: `${person}5,x\r\n` }, 'row 2, which has 2'],
      [{ ...OFAC, alt: `${OFAC.alt.slice(0, -1)}${stranger}` }, '1 entry'],
      [{ sdn: person, alt: end, add: end }, 'no alias'],
      [{ sdn: end, alt: end, add: end }, 'no entry'],
    ] as const)
      expect(() => parseList('ofac_sdn', files)).toThrow(said)
  })

  test('a numbered character is read up to the last code point, and a higher number stays as written', () => {
    expect(text('&#x4e;&#79;&amp;&#1;')).toBe('NO&\u0001')
    expect(text('&#x10ffff;')).toBe('\u{10ffff}')
    for (const none of ['&#0;', '&#1114112;', '&#x110000;']) expect(text(none)).toBe(none)
  })

  test('OFAC’s list ends with its mark, whether or not its last row ends with a line break', () => {
    const person = sdnRow(101, 'VOLKOV, Sergei', 'individual', 'X', 'DOB 1961')
    const births = (sdn: string) => parseList('ofac_sdn', { ...OFAC, sdn }, true).map((entry) => entry.births)
    expect([`${person}\u001a`, `${person.trimEnd()}\u001a`, person].map(births)).toEqual([
      [['1961']],
      [['1961']],
      [['1961']],
    ])
  })

  test('a forced list lacks the rows of another format, which are never misread', () => {
    expect(parseList('ofac_sdn', { ...OFAC, alt: '' }, true)).toHaveLength(3)
    expect(parseList('ofac_sdn', { content: OFAC.sdn }, true)[0]?.names).toEqual([
      'VOLKOV, Sergei Ivanovich',
      'WOLKOW, Sergej',
    ])
    expect(() => parseList('ofac_sdn', { ...OFAC, sdn: OFAC.alt }, true)).toThrow('no entry')
    expect(() => parseList('eu', OFAC)).toThrow('OFAC')
    expect(parseList('un', { content: unList('', 'A B') })).toHaveLength(1)
  })

  test('the lists of the EU and of the UN are read', () => {
    expect(parseList('eu', { content: EU })).toEqual([
      {
        reference: '55',
        kind: 'person',
        names: ['Анна Петровна Смирнова', 'Anna Smirnova'],
        births: ['1984-07-02'],
        countries: ['RU'],
        programme: 'TST',
      },
      { reference: '56', kind: 'entity', names: ['Gulf Metal Trading'], births: [], countries: [], programme: null },
    ])
    expect(parseList('un', { content: UN })[0]).toMatchObject({
      reference: 'TSi.001',
      names: ['Yusuf Omar Al Rashid', 'Abu Yusuf al-Rashidi'],
      births: ['1972'],
      countries: ['IQ'],
    })
    expect(parseList('un', { content: UN })[1]).toMatchObject({ kind: 'entity', names: ['Desert Relief Fund'] })
  })

  test('birth years are read as ranges in each source’s form, and names in their own script', () => {
    const ofac = (born: string) =>
      parseList('ofac_sdn', { ...OFAC, sdn: sdnRow(7, 'X, Y', 'individual', 'P', born) }, true)
    expect(ofac('DOB 1960 to 1962; alt. DOB 12 Mar 1961.')[0]?.births).toEqual(['1960/1962', '1961-03-12'])
    expect(ofac('DOB circa 12 Mar 1961.')[0]?.births).toEqual(['1959/1963'])
    expect(ofac('DOB Aug 1972.')[0]?.births).toEqual(['1972'])
    expect(ofac('DOB 5 Jan 1961; alt. DOB 31 Dec 1961.')[0]?.births).toEqual(['1961-01-05', '1961-12-31'])
    const eu = (birth: string) =>
      parseList('eu', {
        content: `<export><sanctionEntity logicalId="1"><nameAlias wholeName="X"/>${birth}</sanctionEntity></export>`,
      })
    expect(eu('<birthdate yearRangeFrom="1958" yearRangeTo="1960" year="0"/>')[0]?.births).toEqual(['1958/1960'])
    expect(eu('<birthdate circa="true" year="1965"/>')[0]?.births).toEqual(['1963/1967'])
    const un = (birth: string) =>
      parseList('un', {
        content: `<CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL><DATAID>1</DATAID><FIRST_NAME>Li</FIRST_NAME><NAME_ORIGINAL_SCRIPT>李某</NAME_ORIGINAL_SCRIPT>
          <INDIVIDUAL_DATE_OF_BIRTH>${birth}</INDIVIDUAL_DATE_OF_BIRTH></INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>`,
      })[0]
    expect(un('<TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1970</FROM_YEAR><TO_YEAR>1973</TO_YEAR>')).toMatchObject({
      names: ['Li', '李某'],
      births: ['1970/1973'],
    })
    expect(un('<TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><YEAR>1970</YEAR>')?.births).toEqual(['1968/1972'])
  })

  test('a file that is no list is refused with a sentence', () => {
    for (const source of ['eu', 'un', 'ofac_sdn'] as const) {
      expect(() => parseList(source, { content: 'hello' })).toThrow()
      expect(() => parseList(source, { content: '<other/>' })).toThrow()
    }
  })

  test('OFAC’s list, in either form, is read without ships and aircraft, since no client is one', () => {
    const craft = (type: string) => sdnRow(7, 'ANA SANTOS', type, 'P', '')
    for (const type of ['vessel', 'aircraft'])
      expect(() => parseList('ofac_sdn', { ...OFAC, sdn: craft(type), add: '' }, true)).toThrow('no entry')
    expect(parseList('ofac_sdn', { ...OFAC, sdn: craft(''), add: '' }, true)).toHaveLength(1)
    const asVessel = OFAC_XML.replace('<sdnType>Entity<', '<sdnType>Vessel<')
    expect(parseList('ofac_sdn', { content: asVessel }).map(({ reference }) => reference)).toEqual(['101', '103'])
  })

  test('the EU’s country 00 counts as none, and an entry that is not called a company is a person', () => {
    const eu = (inside: string) =>
      parseList('eu', {
        content: `<export><sanctionEntity logicalId="1"><nameAlias wholeName="X Y"/>${inside}</sanctionEntity></export>`,
      })[0]
    const unknown = '<citizenship countryIso2Code="00" countryDescription="UNKNOWN"/>'
    expect(eu(unknown)).toMatchObject({ kind: 'person', countries: [] })
    expect(eu(`${unknown}<citizenship countryIso2Code="RU"/>`)?.countries).toEqual(['RU'])
    expect(eu('<subjectType code="enterprise"/>')?.kind).toBe('entity')
    expect(eu('<subjectType classificationCode="E"/>')?.kind).toBe('entity')
  })

  test('several names in one field of a list are read as several names', () => {
    const names = (alias: string) =>
      parseList('un', { content: UN.replace('Abu Yusuf al-Rashidi', alias) })[0]?.names.slice(1)
    expect(names('Abu Omar; Omar Haddad')).toEqual(['Abu Omar', 'Omar Haddad'])
    expect(names('a) Karim Haddad b) Karim Hadad')).toEqual(['Karim Haddad', 'Karim Hadad'])
    expect(names('Karim Haddad (formerly listed as Karim Nasser)')).toContain('Karim Nasser')
    expect(names('كريم حداد، عمر حداد')).toEqual(['كريم حداد', 'عمر حداد'])
    // a comma separates family and given name, and A/S belongs to one company
    expect(names('HADDAD, Karim')).toEqual(['HADDAD, Karim'])
    expect(names('Northwind A/S')).toEqual(['Northwind A/S'])
  })

  test.each([
    ["Democratic People's Republic of Korea", 'KP'],
    ['Democratic People’s Republic of Korea', 'KP'],
    ['United Kingdom of Great Britain and Northern Ireland', 'GB'],
    ['Iran (Islamic Republic of)', 'IR'],
    ['Cabo Verde', 'CV'],
    ['Cote d Ivoire', 'CI'],
    ['Macedonia, The Former Yugoslav Republic of', 'MK'],
    ['Syrian Arab Republic', 'SY'],
    ['Venezuela (Bolivarian Republic of)', 'VE'],
    ['Congo, Democratic Republic of the', 'CD'],
    ['Burma', 'MM'],
    ['Korea, North', 'KP'],
    ['Palestinian', 'PS'],
    ['Ruritania', 'Ruritania'],
  ])('a list’s country %s is read as %s', (told, read) => {
    const content = UN.replace('<VALUE>Iraq<', `<VALUE>${told}<`)
    expect(parseList('un', { content })[0]?.countries).toEqual([read])
  })
})
