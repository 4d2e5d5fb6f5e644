import { expect, test } from 'bun:test'
import { readName, similarity, wordSimilarity } from './person-names.ts'

test('a letter is common to two words if its places differ by less than half of the longer word', () => {
  expect([similarity('abcd', 'eafg'), similarity('abcd', 'efag')]).toEqual([0.5, 0])
})

test.each([
  // words of the same sound, and of sounds that are confused
  ['Mousa', 'Moussa', 0.97],
  ['Mousa', 'Musa', 0.95],
  ['Chami', 'Shami', 0.9],
  ['Darwich', 'Darwish', 0.9],
  // words of four letters are too short for other sounds and spellings
  ['Chami', 'Sami', 0],
  ['Omar', 'Omari', 0],
  ['Qasem', 'Qasemi', 0.967],
  // just too different, and just similar enough
  ['Alqahtani', 'Lqahtani', 0],
  ['Jaburi', 'Juburi', 0.84],
  // a quarter of the letters differs
  ['Avraham', 'Atraham', 0.914],
  ['Moradi', 'Moraydi', 0.971],
  ['Ghanim', 'Uhanim', 0],
  ['Zimenko', 'Zimnk', 0],
  ['Mohamad', 'Muhammadi', 0],
  // five and six of twelve letters are added
  ['Filipos', 'Phhillipposs', 0.97],
  ['Filpos', 'Phhillpposss', 0.95],
  // three quarters of the consonants are the same, and less than that
  ['Melnin', 'Melnyk', 0.905],
  ['Alqahtani', 'Alaahtani', 0],
  ['محمد', 'Mohamel', 0.75],
  ['محمد', 'Mohalel', 0],
])('the words %s and %s have a similarity of %d', (one, other, alike) => {
  const [ours, theirs] = [one, other].flatMap((name) => readName(name).words)
  expect(ours && theirs && wordSimilarity(ours, theirs)).toBeCloseTo(alike, 3)
  expect(ours && theirs && wordSimilarity(theirs, ours)).toBeCloseTo(alike, 3)
})

test.each([
  ['Saif al-Din', ['saifdin']],
  ['al-Din', ['aldin']],
  ['Anna X Mayer', ['anna', 'mayer']],
  ['X Mayer', ['mayer']],
  ['Anna Ben Mayer', ['anna', 'mayer']],
  ['Ben Mayer', ['ben', 'mayer']],
  ['Y X', ['x', 'y']],
])('the name %s is compared without titles and particles', (name, tokens) => {
  expect(readName(name).tokens).toEqual(tokens)
})

test('two words that count as one have vowels only if both are written with vowels', () => {
  const vowels = (name: string) => readName(name).words.map((word) => word.vowels)
  expect(vowels('Saif al-Din')).toEqual(['-i-i-'])
  for (const name of ['سيف الدين', 'سيف Din', 'Saif الدين']) expect(vowels(name)).toEqual([null])
})

test('words of the same spelling stay in their order', () => {
  const vowels = (name: string) => readName(name).words.map((word) => word.vowels)
  expect([vowels('علي ly'), vowels('ly علي')]).toEqual([
    [null, '-i'],
    ['-i', null],
  ])
})

test('the forms of a name as one word begin with the family name or end with it', () => {
  expect(readName('Anna Maria Mayer').forms).toEqual([
    'annamariamayer',
    'mayermariaanna',
    'mayerannamaria',
    'mariamayeranna',
  ])
})
