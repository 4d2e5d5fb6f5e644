import { describe, expect, test } from 'bun:test'
import { type Encoding, rankEncodings } from './csv-encoding.ts'

/** Returns the bytes of a text in a code page, found by decoding each byte. */
const encodeText = (text: string, page: Encoding): Uint8Array<ArrayBuffer> => {
  const decoder = new TextDecoder(page)
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
  return Uint8Array.from([...text], (letter) => {
    const byte = bytes.get(letter)
    if (byte === undefined) throw new Error(`${letter} is not in ${page}`)
    return byte
  })
}

const FILES: readonly [language: string, page: Encoding, text: string][] = [
  ['Polish', 'windows-1250', 'Łukasz Wiśniewski;Małgorzata Dąbrowska;Paweł Zieliński;Łódź;Kraków;Grażyna Król'],
  ['Czech', 'windows-1250', 'Tomáš Novák;Jiří Dvořák;Zdeněk Černý;Plzeň;Růžena Němcová;Ústí nad Labem'],
  ['Slovak', 'windows-1250', 'Ján Kováč;Mária Horváthová;Ľubomír Tóth;Žilina;Košice;Štefan Baláž'],
  ['Hungarian', 'windows-1250', 'Szabó László;Kovács Erzsébet;Tóth Gergő;Győr;Szűcs Ágnes'],
  ['Romanian', 'windows-1250', 'Ştefan Popescu;Bucureşti;Constanţa;Cătălin;Timişoara'],
  ['Croatian', 'windows-1250', 'Marko Kovačević;Luka Babić;Željko Šimić;Đurđica Perić'],
  ['Russian', 'windows-1251', 'Иван Петров;Ольга Кузнецова;Фёдор Щукин;ИВАНОВ;Санкт-Петербург;Юлия'],
  ['Ukrainian', 'windows-1251', 'Олександр Шевченко;Київ;Юлія Ковальчук;Їжак;Львів'],
  ['Bulgarian', 'windows-1251', 'Георги Димитров;София;Пловдив;Ангел Стоянов'],
  ['Serbian', 'windows-1251', 'Јован Јовановић;Београд;Ђорђе;Љубица'],
  ['German', 'windows-1252', 'Jürgen Müller;Käthe Groß;Jörg Weiß;Österreich;Günther Schäfer'],
  ['French', 'windows-1252', 'François Lefèvre;Hélène Dupré;Jérôme;Noël Évrard;Nîmes;Geneviève'],
  ['Spanish', 'windows-1252', 'José Muñoz;María García;Íñigo Peña;Sánchez;Cádiz;Logroño'],
  ['Portuguese', 'windows-1252', 'João Conceição;Antônio Magalhães;Inês Simões;Évora;Luís'],
  ['Italian', 'windows-1252', 'Niccolò Rossi;Forlì;Cantù;Libertà'],
  ['Danish', 'windows-1252', 'Søren Kjær;Åse Sørensen;Ærø;Håkon'],
  ['Swedish', 'windows-1252', 'Björn Åkesson;Göteborg;Märta;Västerås'],
]

describe('a file that is not Unicode is read by its letters', () => {
  test.each(FILES)('a file with %s names that is not Unicode is decoded rightly', (_, page, text) => {
    const bytes = encodeText(`Name;Mail\n${text};a@b.example\n`, page)
    const [encoding] = rankEncodings(bytes)
    expect(new TextDecoder(encoding).decode(bytes)).toContain(text)
  })

  test.each(FILES)('any two %s names are enough to decode a file rightly', (_, page, text) => {
    const names = text.split(';')
    for (const [at, name] of names.slice(1).entries()) {
      const two = `${names[at]};${name}`
      const bytes = encodeText(two, page)
      expect(new TextDecoder(rankEncodings(bytes)[0]).decode(bytes)).toBe(two)
    }
  })

  test.each([
    ['of many countries in the west', 'windows-1252', 'Müller;Peña;João;Lefèvre;Søren;Åkesson;Niccolò'],
    ['of many countries in the east', 'windows-1250', 'Łukasz;Dvořák;Győr;Kovačević;Ştefan;Müller'],
    ['with signs of money', 'windows-1252', 'Cash;£1,000;£20;100 €'],
    ['with Cyrillic beside other addresses', 'windows-1251', 'Иван;ivan@mail.example;ООО «Ромашка» №5'],
  ] as const)('the code page of a file %s is recognised', (_, page, text) => {
    expect(rankEncodings(encodeText(text, page))[0]).toBe(page)
  })
})

test('a file can be read in all code pages, the most likely first, and as Unicode if its bytes are valid', () => {
  const [best, ...others] = rankEncodings(encodeText('Łukasz', 'windows-1250'))
  expect(best).toBe('windows-1250')
  expect(others.toSorted()).toEqual(['windows-1251', 'windows-1252'])
  expect(rankEncodings(new TextEncoder().encode('Łukasz'))[0]).toBe('utf-8')
})

test.each([
  ['utf-16le', [0xff, 0xfe, 0x41, 0x01]],
  ['utf-16be', [0xfe, 0xff, 0x01, 0x41]],
] as const)('a file with the byte order mark of %s is offered in no other encoding', (encoding, bytes) => {
  expect(rankEncodings(Uint8Array.from(bytes))).toEqual([encoding])
  expect(new TextDecoder(encoding).decode(Uint8Array.from(bytes))).toBe('Ł')
})
