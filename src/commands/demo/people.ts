/** A small generator of pseudo-random numbers (mulberry32): the same seed always gives the same firm. */
export function createRandom(seed: number) {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    between,
    chance: (share: number): boolean => next() < share,
    pick: <T>(items: readonly [T, ...T[]]): T => items[Math.floor(next() * items.length)] ?? items[0],
  }
}
export type Random = ReturnType<typeof createRandom>

type Place = {
  country: string
  language: string
  currency: string
  dial: () => string
  cities: readonly [string, ...string[]]
  first: readonly [string, ...string[]]
  last: readonly [string, ...string[]]
}

/** Returns invented people's names that go together, by country. */
export const places = (random: Random): readonly [Place, ...Place[]] => [
  {
    country: 'CY',
    language: 'en',
    currency: 'EUR',
    dial: () => `+3579${random.between(6, 9)}${random.between(100000, 999999)}`,
    cities: ['Limassol', 'Nicosia', 'Larnaca'],
    first: ['Andreas', 'Eleni', 'Giorgos', 'Maria', 'Nikos', 'Stella', 'Christos', 'Despina'],
    last: ['Georgiou', 'Christodoulou', 'Ioannou', 'Pavlou', 'Demetriou', 'Charalambous', 'Antoniou'],
  },
  {
    country: 'DE',
    language: 'de',
    currency: 'EUR',
    dial: () => `+49151${random.between(10000000, 99999999)}`,
    cities: ['Hamburg', 'München', 'Köln', 'Leipzig'],
    first: ['Lena', 'Jonas', 'Anja', 'Felix', 'Katharina', 'Matthias', 'Sabine', 'Tobias'],
    last: ['Schäfer', 'Krüger', 'Hofmann', 'Brandt', 'Vogel', 'Lehmann', 'Winkler', 'Böhm'],
  },
  {
    country: 'GB',
    language: 'en',
    currency: 'GBP',
    dial: () => `+447${random.between(700000000, 799999999)}`,
    cities: ['Leeds', 'Bristol', 'London', 'Glasgow'],
    first: ['Oliver', 'Amelia', 'Harry', 'Isla', 'George', 'Freya', 'Callum', 'Imogen'],
    last: ['Whitfield', 'Barker', 'Holloway', 'Pritchard', 'Dawson', 'Ellis', 'Marsh'],
  },
  {
    country: 'ES',
    language: 'es',
    currency: 'EUR',
    dial: () => `+346${random.between(10000000, 99999999)}`,
    cities: ['Valencia', 'Sevilla', 'Bilbao'],
    first: ['Lucía', 'Pablo', 'Carmen', 'Álvaro', 'Inés', 'Sergio', 'Marta'],
    last: ['Herrera', 'Molina', 'Ortega', 'Navarro', 'Serrano', 'Iglesias'],
  },
  {
    country: 'AE',
    language: 'ar',
    currency: 'USD',
    dial: () => `+9715${random.between(10000000, 99999999)}`,
    cities: ['Dubai', 'Abu Dhabi', 'Sharjah'],
    first: ['Omar', 'Layla', 'Khalid', 'Noor', 'Hamad', 'Salma', 'Yousef'],
    last: ['Al Farsi', 'Al Mazrouei', 'Haddad', 'Al Suwaidi', 'Nasser', 'Darwish'],
  },
  {
    country: 'PL',
    language: 'pl',
    currency: 'EUR',
    dial: () => `+485${random.between(10000000, 99999999)}`,
    cities: ['Kraków', 'Gdańsk', 'Wrocław'],
    first: ['Zofia', 'Piotr', 'Magdalena', 'Tomasz', 'Agnieszka', 'Michał'],
    last: ['Wiśniewska', 'Zieliński', 'Kaczmarek', 'Mazur', 'Pawlak', 'Górski'],
  },
  {
    country: 'ZA',
    language: 'en',
    currency: 'USD',
    dial: () => `+2782${random.between(1000000, 9999999)}`,
    cities: ['Cape Town', 'Durban', 'Johannesburg'],
    first: ['Thabo', 'Lerato', 'Johan', 'Naledi', 'Sipho', 'Anneke'],
    last: ['Mokoena', 'van der Merwe', 'Dlamini', 'Botha', 'Naidoo', 'Khumalo'],
  },
  {
    country: 'JP',
    language: 'ja',
    currency: 'JPY',
    dial: () => `+8190${random.between(10000000, 99999999)}`,
    cities: ['Osaka', 'Nagoya', 'Sendai'],
    first: ['Haruka', 'Kenta', 'Yui', 'Daichi', 'Aya', 'Sho'],
    last: ['Nakagawa', 'Fujita', 'Okada', 'Hasegawa', 'Ueno', 'Matsuda'],
  },
]

/** Returns ASCII letters for an address: `Schäfer` → `schafer`. */
export const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^a-zA-Z]/g, '')
    .toLowerCase()
