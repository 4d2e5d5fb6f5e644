import { describe, expect, test } from 'bun:test'
import { createMatcher, type ListEntry } from './matcher.ts'
import { similarity } from './person-names.ts'

const buildEntry = (names: string[], births: string[] = [], countries: string[] = []): ListEntry => ({
  reference: names.join(),
  kind: 'person',
  programme: null,
  names,
  births,
  countries,
})
type Facts = { born?: string; births?: string[]; country?: string; countries?: string[] }
/** Returns how a client matches a list of one entry; undefined below the threshold. */
function matchOne(ours: string, listed: string | string[], { born, births, country, countries }: Facts = {}) {
  const entry = buildEntry([listed].flat(), births, countries)
  const subject = { name: ours, dateOfBirth: born ?? null, country: country ?? null }
  return createMatcher([entry])(subject)[0]
}
const scoreMatch = (...args: Parameters<typeof matchOne>): number | undefined => matchOne(...args)?.score

test('words are similar by common letters, letters that changed places, and up to four common first letters', () => {
  const pairs = [
    ['mayer', 'meier', 0.76],
    ['peterson', 'petrov', 0.87361],
    ['mariam', 'miriam', 0.84],
    ['martha', 'marhta', 0.96111],
    ['johannes', 'johansen', 0.975],
    ['ab', 'ba', 0],
    ['abcd', 'xbcd', 0.83333],
    ['', 'a', 0],
    ['abcde', 'cdeab', 0],
    ['abcdef', 'fbcdea', 0.77778],
    ['katharina', 'katarina', 0.97407],
    ['dixon', 'dicksonx', 0.81333],
    ['aaaa', 'aa', 0.86667],
    ['abcdx', 'abcdy', 0.92],
    ['abc', 'bca', 0],
    ['abcd', 'dcba', 0.5],
    ['abcde', 'ecdba', 0.6],
  ] as const
  for (const [one, other, alike] of pairs) expect(similarity(one, other)).toBeCloseTo(alike, 5)
})

describe('a name', () => {
  test.each([
    // the client's name, the listed name, the similarities of the words, the similarity of the names
    ['Anna Mayer', 'Anna Meier', [100, 85], 92],
    ['Victor Petrov', 'Viktor Petrov', [100, 97], 99],
    ['Catherine Mayer', 'Katharina Meier', [95, 85], 92],
    ['Mohammed Hussein', 'محمد حسين', [100, 100], 95],
    ['Peterson Petrov', 'Petersen Petrova', [95, 97], 96],
    ['Mariam Papadopoulos', 'Miriam Papadopoulos', [84, 100], 95],
    ['Anna Lee Mayer', 'Anna Mayer', [100, 100], 96],
    ['Anna Mayer', 'Anna Lee Mayer', [100, 100], 96],
    ['Anna Lee Maria Mayer', 'Anna Mayer', [100, 100], 92],
    ['Anna Lee Maria Ida Mayer', 'Anna Mayer', [100, 100], 88],
    ['Anna Lee Maria Ida Rosa Mayer', 'Anna Mayer', [100, 100], 86],
    ['Mayer', 'Mayer', [100], 100],
    ['Katharina', 'Katarina', [97], 97],
    ['Meier Meyer', 'Mayer Meyer', [97, 95], 96],
    ['Ly Mayer', 'Li Mayer', [95, 100], 99],
    // words of one or two letters weigh the same
    ['O Al', 'U Al Bin Abu De', [100, 95], 86],
    ['Ekaterina Lee Papadopoulos', 'Katharina Papadopoulos', [86, 100], 90],
    ['Anna Lee Mayer Papadopoulos', 'Anna Meier Papadopoulos', [100, 85, 100], 93],
  ])('the names %s and %s are compared word by word', (ours, theirs, words, nameScore) => {
    const { explanation } = matchOne(ours, theirs) ?? {}
    expect(explanation?.words.map((word) => word.similarity)).toEqual(words)
    expect(explanation?.nameScore).toBe(nameScore)
  })

  test('the first of two listed words that are equally similar is shown', () => {
    const { explanation } = matchOne('Anna Mayer', 'Anna Meyer Moyer') ?? {}
    expect(explanation?.words.map(({ theirs }) => theirs)).toEqual(['anna', 'meyer'])
  })

  test('words below a similarity of 0.84 count as different', () => {
    expect(scoreMatch('Margaret Papadopoulos', 'Maria Papadopoulos')).toBeUndefined()
  })

  test('names are not compared if they share no word and not the first two consonants of two words', () => {
    expect(scoreMatch('Papadopoulos Martinez', 'Papadopoulas Martines')).toBeDefined()
    expect(scoreMatch('Papadopoulos Martinez', 'Tapadopoulos Nartinez')).toBeUndefined()
    expect(scoreMatch('Papadopoulos Martinez', 'Patadopoulos Mastinez')).toBeUndefined()
  })

  test('names are compared if two words begin alike, whatever the third one is', () => {
    const facts = { born: '1960-05-01', births: ['1960-05-01'] }
    expect(scoreMatch('Papadopoulos Martinez Bob', 'Papadopoulas Martines Zed', facts)).toBeDefined()
  })

  test('a score by consonants alone is rounded once', () => {
    const facts = { born: '1960-05-01', births: ['1960-05-01'] }
    // the words give 88, and 0.95 of 88 is 83.6; the birth adds 6
    expect(scoreMatch('Badr Salem Lee Maria Ida', 'بدر سالم', facts)).toBe(90)
    // 0.95 of 96 is 91.2
    expect(scoreMatch('Badr Salem Lee', 'بدر سالم')).toBe(91)
  })

  test('a name of one word does not match a name of several, whatever else agrees', () => {
    const facts = { born: '1960-05-01', births: ['1960-05-01'], country: 'CY', countries: ['CY'] }
    expect(scoreMatch('Mayer', 'Anna Mayer', facts)).toBeUndefined()
  })
})

test('a name written in one word can count as identical; another birth counts against it as usual', () => {
  expect(matchOne('习近平', 'XI, Jinping', { born: '1960-05-01', births: ['1953'] })).toMatchObject({
    score: 86,
    explanation: { nameScore: 100, words: [{ similarity: 100 }] },
  })
})

describe('birth and country', () => {
  const BORN = '1960-05-01'
  test.each([
    ['the day', { born: BORN, births: [BORN] }, 98],
    ['the year', { born: BORN, births: ['1960'] }, 95],
    ['another day of the year', { born: BORN, births: ['1960-07-31'] }, 95],
    ['the first year of a range', { born: BORN, births: ['1960/1962'] }, 95],
    ['the last year of a range', { born: '1962-01-01', births: ['1960/1962'] }, 95],
    ['the country', { country: 'CY', countries: ['cy'] }, 94],
    ['another country', { country: 'CY', countries: ['RU'] }, 90],
    ['a country that nobody could read', { country: 'CY', countries: ['Ruritania'] }, 92],
    ['nothing known of us', { births: [BORN], countries: ['CY'] }, 92],
    ['nothing known of them', { born: BORN, country: 'CY' }, 92],
  ])('the score of a match counts birth and country: %s', (_, facts, score) => {
    expect(scoreMatch('Anna Mayer', 'Anna Meier', facts)).toBe(score)
  })

  test.each([['1959-12-31'], ['1963-01-01']])('a birth on %s is outside of 1960 to 1962', (born) => {
    expect(matchOne('Victor Petrov', 'Viktor Petrov', { born, births: ['1960/1962'] })).toMatchObject({
      score: 85,
      explanation: { birth: 'differs' },
    })
  })

  test('the score of a match is at most 100', () => {
    expect(scoreMatch('Victor Petrov', 'Viktor Petrov', { born: BORN, births: [BORN] })).toBe(100)
  })
})

describe('the threshold of 85', () => {
  test('a score of 85 is a match, and one of 84 is not', () => {
    const born = { born: '1960-05-01', births: ['1970'] }
    expect(scoreMatch('Victor Petrov', 'Viktor Petrov', born)).toBe(85)
    expect(scoreMatch('Mariam Mariam', 'Miriam Miriam')).toBeUndefined()
  })

  test('an identical name always reaches 85, and 100 if nothing differs', () => {
    const against = { born: '1960-05-01', births: ['1970'], country: 'CY', countries: ['RU'] }
    expect([scoreMatch('Anna Mayer', 'Anna Mayer', against), scoreMatch('Anna Mayer', 'Anna Mayer')]).toEqual([85, 100])
  })

  test('an entry matches once, by its best name (the first of equal ones), and the best entry comes first', () => {
    expect(matchOne('Anna Mayer', ['Anna Meier', 'Anna Mayer', 'Mayer, Anna'])).toMatchObject({
      score: 100,
      explanation: { listedAs: 'Anna Mayer' },
    })
    const match = createMatcher([buildEntry(['Anna Meier']), buildEntry(['Anna Mayer'])])
    const found = match({ name: 'Anna Mayer', dateOfBirth: null, country: null })
    expect(found.map(({ score }) => score)).toEqual([100, 92])
  })
})

test('a shared word is enough for comparing two names if 500 names have it, and not if 501 have', () => {
  const bearers = (count: number) => [
    buildEntry(['Mohammed Tapadopoulos']),
    ...Array.from({ length: count - 1 }, (_, at) => buildEntry([`Mohammed X${at}`])),
  ]
  // only the first name is shared, since the second names begin differently
  const found = (count: number) =>
    createMatcher(bearers(count))({ name: 'Mohammed Papadopoulos', dateOfBirth: null, country: null }).length
  expect([found(500) > 0, found(501) > 0]).toEqual([true, false])
})

describe('a name in another script or spelling', () => {
  test.each([
    ['محمد علي', 'ALI, Mohamed'],
    ['طارق عزام', 'AZZAM, Tariq'],
    ['طارق عزام', 'Tarek Azzam'],
    ['على السيد بكري', 'Ali al-Sayyid Bakri'],
    ['عبد القادر لاغوب', 'ABDELKADER LAAGOUB'],
    ['عبدالرحمن التكريتي', 'Abd al-Rahman Al-Tikriti'],
    ['عبد الرحمن الحربي', 'Abdul Rahman Alharbi'],
    ['عبد الله رجب', 'ABD ALLAH RAGAB'],
    ['صلاح الدين الشامي', 'Salahuddin al-Shami'],
    ['نجیب الله حقانی', 'Najibullah Haqqani'],
    ['مُحَمَّد عـــلي', 'Mohamed Ali'],
    ['جواد رضایی', 'Javad Rezaei'],
    ['김정은', 'Kim Jong Un'],
    ['이원호', 'Ri Won Ho'],
    ['박영철', 'Yong-chol PAK'],
    ['张志明', 'Zhiming ZHANG'],
    ['王小龙', 'Xiao Long WANG'],
    ['יוסף פרץ', 'Joseph Perez'],
    ['חיים אברהמי', 'Chaim Avrahami'],
    ['Ευάγγελος Μπακάλης', 'Evangelos Mpakalis'],
    ['Χρήστος Οικονόμου', 'Christos Economou'],
    ['ჯემალ წერეთელი', 'Dzhemal Tsereteli'],
    ['Գրիգոր Հարությունյան', 'Krikor Harutiunian'],
    ['Сергій Житній', 'Sergii Zhytnyi'],
    ['Евгений Журавлёв', 'Yevgeny Jouravlev'],
    ['Mohamed Ali', 'Mohammed Aly'],
    ['Omar Said', 'Umar Saeed'],
    ['Hussein Ali', 'Husayn Aly'],
    ['Lee Won Ho', 'Ri Won Ho'],
    ['Jon Smith', 'John Smith'],
    ['Ann Miller', 'Anne Miller'],
    ['Wilhelmina Ann Rose Marie Abercrombie', 'Wilhelmina Abercromby'],
  ])('the name %s matches %s, in both directions', (one, other) => {
    expect([scoreMatch(one, other), scoreMatch(other, one)]).toEqual([expect.any(Number), expect.any(Number)])
  })

  test.each([
    ['حسن علي', 'Hisham Ali'],
    ['김정은', 'Kim Chong Il'],
    ['박영철', 'Kim Yong Chol'],
    ['Li Fang', 'Li Feng'],
    ['Han Wei', 'Huang Wei'],
    ['Nam Le', 'Nam Lee'],
    ['Maria Garcia', 'GARCIA RODRIGUEZ, Martha'],
    ['Christina Georgiou', 'Christos Georgiou'],
    ['Arash Ebrahimi', 'Ayyash Ebrahimi'],
    ['Wang Min', 'Wang Ming'],
  ])('the name %s does not match %s', (one, other) => {
    expect(scoreMatch(one, other)).toBeUndefined()
  })
})

test('a name with the same Korean sound scores 93, or 90 if both are in Latin letters', () => {
  expect([scoreMatch('김정은', 'Kim Jong Un'), scoreMatch('Gim Jeong Eun', 'Kim Jong Un')]).toEqual([93, 90])
})

describe('a company', () => {
  const asCompany = (ours: string, listed: string) =>
    createMatcher([{ ...buildEntry([listed]), kind: 'entity' }])({ name: ours, dateOfBirth: null, country: null })[0]

  test.each([
    ['Li Ming', 'JABHAT AL-NUSRA LI-AHL AL-SHAM MIN MUJAHEDI'],
    ['Dmitry Tran', 'DMI TRADING INC.'],
    ['Maria Mayer', 'MARIA MAYER SHIPPING'],
    ['Anna Maria Mayer', 'ANNA MAYER'],
    ['Karim Haddad', 'KARIMI HADID'],
    // a similarity of 94 is too little
    ['Darwich Mayer', 'DARWISH MAYER'],
  ])('the client %s, without the whole name of the company %s, does not match it', (ours, listed) => {
    expect(asCompany(ours, listed)).toBeUndefined()
  })

  test.each([
    ['Northwind Shipping', 'NORTHWIND SHIPPING LLC'],
    ['Nothwind Shipping Ltd', 'NORTHWIND SHIPPING LLC'],
    ['Anna Mayer', 'ANNA MAYER'],
    // a similarity of 95 is enough
    ['Mousa', 'MUSA'],
  ])('the client %s, with the whole name of the company %s, matches it', (ours, listed) => {
    expect(asCompany(ours, listed)).toBeDefined()
  })
})

test.each([
  ['Petr Iwanow; Anna Mayer', 'Anna Mayer'],
  ['a) Petr Iwanow b) Anna Mayer', 'Anna Mayer'],
  ['Petr Iwanow a.k.a. Anna Mayer', 'Anna Mayer'],
  ['Petr Iwanow (Anna Mayer)', 'Anna Mayer'],
  ['Anna (Anneliese) Mayer', 'Anna Mayer'],
  ['محمد علي، طارق عزام', 'Tariq Azzam'],
])('several names in one field of a client are compared separately: %s', (ours, listed) => {
  expect(scoreMatch(ours, listed)).toBeGreaterThanOrEqual(90)
})
