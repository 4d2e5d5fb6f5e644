import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  convertByRatio,
  currencies,
  divHalfEven,
  formatAmount,
  getScale,
  isCurrency,
  MoneyError,
  maxMinor,
  parseAmount,
  parseMachineAmount,
  parseRate,
  roundAmount,
} from './money.ts'

const anyCurrency = fc.constantFrom(...currencies)
const anyMinor = fc.bigInt({ min: -maxMinor, max: maxMinor })
const anyRate = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 0, max: 12 }))
  .map(([digits, scale]) => decimal(digits, scale))

const decimal = (digits: bigint, scale: number): string => {
  const text = digits.toString().padStart(scale + 1, '0')
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
}

const convert = (minor: bigint, from: string, to: string, rate: string): bigint =>
  convertByRatio(minor, from, to, parseRate(rate))

const thrown = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    return error instanceof MoneyError ? error.code : `unexpected ${String(error)}`
  }
  return 'no error'
}

const absolute = (n: bigint): bigint => (n < 0n ? -n : n)

describe('currencies', () => {
  test('currencies have the decimals of ISO 4217, crypto currencies six or eight', () => {
    const known = {
      USD: 2,
      EUR: 2,
      JPY: 0,
      KWD: 3,
      BHD: 3,
      ISK: 0,
      CLP: 0,
      HUF: 2,
      BTC: 8,
      ETH: 8,
      USDT: 6,
      XRP: 6,
      TRX: 6,
      SOL: 8,
      BNB: 8,
      DOGE: 8,
      EUC: 2,
      BGN: 2,
      HRK: 2,
      ANG: 2,
    }
    expect(Object.fromEntries(Object.keys(known).map((code) => [code, getScale(code)]))).toEqual(known)
  })

  test('codes of currencies are unique, in capitals and sorted; other codes are refused', () => {
    expect(currencies).toEqual([...new Set(currencies)].sort())
    expect(currencies.every((code) => /^[A-Z]{3,4}$/.test(code) && isCurrency(code))).toBe(true)
    expect(currencies.length).toBeGreaterThan(155)
    for (const code of ['', 'usd', 'XXX', 'XTS', 'DEM', 'toString', '__proto__']) {
      expect(isCurrency(code)).toBe(false)
      expect(thrown(() => getScale(code))).toBe('currency_unknown')
    }
  })
})

describe('parseAmount', () => {
  test('plain decimals become minor units of their currency', () => {
    expect(parseAmount('12.50', 'USD')).toBe(1250n)
    expect(parseAmount('12.5', 'USD')).toBe(1250n)
    expect(parseAmount('12', 'USD')).toBe(1200n)
    expect(parseAmount('-0.05', 'USD')).toBe(-5n)
    expect(parseAmount('-0', 'USD')).toBe(0n)
    expect(parseAmount('12', 'JPY')).toBe(12n)
    expect(parseAmount('0.00000001', 'BTC')).toBe(1n)
    expect(parseAmount('90071992547409.91', 'USD')).toBe(maxMinor)
    expect(parseAmount('-9007199254740991', 'JPY')).toBe(-maxMinor)
  })

  test.each([
    '',
    ' ',
    '-',
    '.',
    '1.',
    '.5',
    '-.5',
    '+1',
    '1e3',
    '1E3',
    '0x10',
    '007',
    '00',
    '-01',
    ' 1',
    '1 ',
    '1\n',
    '1,000',
    '1_000',
    '--1',
    '1.2.3',
    'NaN',
    'Infinity',
    '\u0661\u0662',
    '\uff11',
    '\u22121',
    '1\u0000',
    '$1',
    '1-',
  ])('the amount %j is refused as malformed', (text) => {
    expect(thrown(() => parseAmount(text, 'USD'))).toBe('amount_malformed')
  })

  test('more decimals than the currency has are refused, even if they are zeros', () => {
    expect(thrown(() => parseAmount('1.001', 'USD'))).toBe('amount_scale')
    expect(thrown(() => parseAmount('1.000', 'USD'))).toBe('amount_scale')
    expect(thrown(() => parseAmount('1.0', 'JPY'))).toBe('amount_scale')
    expect(thrown(() => parseAmount('0.000000001', 'BTC'))).toBe('amount_scale')
  })

  test('an amount of a machine may have zeros beyond the decimals of the currency, but no other digits', () => {
    expect(parseMachineAmount('5000.00', 'JPY')).toBe(5000n)
    expect(parseMachineAmount('-100.100', 'EUR')).toBe(-10010n)
    expect(parseMachineAmount('100.1', 'EUR')).toBe(10010n)
    expect(thrown(() => parseMachineAmount('100.101', 'EUR'))).toBe('amount_scale')
    expect(thrown(() => parseMachineAmount('5000.', 'JPY'))).toBe('amount_malformed')
    expect(thrown(() => parseMachineAmount(`1${'0'.repeat(16)}.000`, 'EUR'))).toBe('amount_range')
  })

  test('an amount beyond 2^53 − 1 minor units is refused, even one of a million digits', () => {
    expect(thrown(() => parseAmount('90071992547409.92', 'USD'))).toBe('amount_range')
    expect(thrown(() => parseAmount('-9007199254740992', 'JPY'))).toBe('amount_range')
    expect(thrown(() => parseAmount('9'.repeat(1_000_000), 'JPY'))).toBe('amount_range')
  })

  test('an unknown currency is refused, in parsing and in formatting', () => {
    expect(thrown(() => parseAmount('1', 'ZZZ'))).toBe('currency_unknown')
    expect(thrown(() => formatAmount(1n, 'ZZZ'))).toBe('currency_unknown')
  })

  test('a formatted amount is canonical and parses back to the same amount', () => {
    fc.assert(
      fc.property(anyMinor, anyCurrency, (minor, currency) => {
        const text = formatAmount(minor, currency)
        expect(parseAmount(text, currency)).toBe(minor)
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/)
        expect((text.split('.')[1] ?? '').length).toBe(getScale(currency))
      }),
    )
  })

  test('any text either parses to an amount that formats back to its value, or throws a MoneyError', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String)), anyCurrency, (text, currency) => {
        let minor: bigint
        try {
          minor = parseAmount(text, currency)
        } catch (error) {
          expect(error).toBeInstanceOf(MoneyError)
          return
        }
        expect(Number(formatAmount(minor, currency))).toBe(Number(text) + 0)
      }),
    )
  })
})

test('formatAmount shows every decimal', () => {
  expect(formatAmount(1250n, 'USD')).toBe('12.50')
  expect(formatAmount(-5n, 'USD')).toBe('-0.05')
  expect(formatAmount(0n, 'USD')).toBe('0.00')
  expect(formatAmount(12n, 'JPY')).toBe('12')
  expect(formatAmount(-12n, 'JPY')).toBe('-12')
  expect(formatAmount(1n, 'BTC')).toBe('0.00000001')
})

describe('divHalfEven', () => {
  test('divHalfEven rounds ties to the even number on both sides of zero, whatever the sign of the divisor', () => {
    const halves = [-7n, -5n, -3n, -1n, 1n, 3n, 5n, 7n]
    expect(halves.map((n) => divHalfEven(n, 2n))).toEqual([-4n, -2n, -2n, 0n, 0n, 2n, 2n, 4n])
    expect(halves.map((n) => divHalfEven(n, -2n))).toEqual([4n, 2n, 2n, 0n, 0n, -2n, -2n, -4n])
    expect(divHalfEven(2n, 3n)).toBe(1n)
    expect(divHalfEven(-2n, 3n)).toBe(-1n)
    expect(divHalfEven(1n, 3n)).toBe(0n)
    expect(() => divHalfEven(1n, 0n)).toThrow(RangeError)
  })

  test('a quotient is at most a half from the exact value, and is the even one if it is exactly a half away', () => {
    const divisor = fc.bigInt({ min: -1000n, max: 1000n }).filter((d) => d !== 0n)
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 6n), max: 10n ** 6n }), divisor, (n, d) => {
        const quotient = divHalfEven(n, d)
        const doubledError = 2n * absolute(n - quotient * d)
        expect(doubledError <= absolute(d)).toBe(true)
        if (doubledError === absolute(d)) expect(quotient % 2n).toBe(0n)
      }),
    )
  })
})

describe('convertByRatio by a decimal rate', () => {
  test('an amount is converted by the rate and the decimals of both currencies, rounded half to even', () => {
    expect(convert(10_000n, 'EUR', 'USD', '1.0845')).toBe(10_845n)
    expect(convert(100n, 'USD', 'JPY', '151.5')).toBe(152n)
    expect(convert(100n, 'USD', 'JPY', '150.5')).toBe(150n)
    expect(convert(-100n, 'USD', 'JPY', '150.5')).toBe(-150n)
    expect(convert(1n, 'BTC', 'USD', '60000')).toBe(0n)
    expect(convert(1_000n, 'JPY', 'BTC', '0.0000001')).toBe(10_000n)
    expect(convert(0n, 'USD', 'EUR', '0.9')).toBe(0n)
  })

  test('a conversion by an inverse rate, given as a fraction, rounds once', () => {
    const { n, d } = parseRate('3')
    expect(convertByRatio(300n, 'USD', 'EUR', { n: d, d: n })).toBe(100n)
    expect(convertByRatio(100n, 'USD', 'EUR', { n: d, d: n })).toBe(33n)
    expect(thrown(() => convertByRatio(1n, 'USD', 'EUR', { n: 0n, d: 1n }))).toBe('rate_range')
    expect(thrown(() => convertByRatio(1n, 'USD', 'EUR', { n: -1n, d: -1n }))).toBe('rate_range')
  })

  test('an amount is rounded down towards zero and up away from it, and an exact result stays', () => {
    const third = { n: 1n, d: 3n }
    const by = (minor: bigint, rounding: 'down' | 'up') => convertByRatio(minor, 'USD', 'EUR', third, rounding)
    expect([-4n, -3n, -1n, 0n, 1n, 2n, 3n, 4n].map((minor) => by(minor, 'down'))).toEqual([
      -1n,
      -1n,
      0n,
      0n,
      0n,
      0n,
      1n,
      1n,
    ])
    expect([-4n, -3n, -1n, 0n, 1n, 2n, 3n, 4n].map((minor) => by(minor, 'up'))).toEqual([
      -2n,
      -1n,
      -1n,
      0n,
      1n,
      1n,
      1n,
      2n,
    ])
  })

  test('a fraction with a zero or a negative part is refused as a rate', () => {
    const tried = [
      [0n, 1n],
      [1n, 0n],
      [-1n, 1n],
      [1n, -1n],
    ].map(([n = 0n, d = 0n]) => thrown(() => convertByRatio(1n, 'USD', 'EUR', { n, d })))
    expect(tried).toEqual(tried.map(() => 'rate_range'))
    expect(convertByRatio(1n, 'USD', 'EUR', { n: 1n, d: 1n })).toBe(1n)
  })

  test('a rate may have up to 18 digits before the point and 18 after it', () => {
    expect(parseRate(`${'1'.repeat(18)}.${'0'.repeat(17)}1`).d).toBe(10n ** 18n)
    for (const rate of ['1'.repeat(19), `0.${'0'.repeat(18)}1`])
      expect(thrown(() => parseRate(rate))).toBe('rate_range')
  })

  test('a result may be the largest amount of either sign, and not one minor unit more', () => {
    const same = (minor: bigint) => convertByRatio(minor, 'USD', 'USD', { n: 1n, d: 1n })
    expect([same(maxMinor), same(-maxMinor)]).toEqual([maxMinor, -maxMinor])
    for (const minor of [maxMinor + 1n, -maxMinor - 1n]) expect(thrown(() => same(minor))).toBe('amount_range')
  })

  test('a malformed rate, a rate of zero and one with too many digits are refused', () => {
    for (const rate of ['', '-1', '+1', '1e-5', '.5', '1.', '01', 'NaN', ' 1']) {
      expect(thrown(() => convert(1n, 'USD', 'EUR', rate))).toBe('rate_malformed')
    }
    for (const rate of ['0', '0.000', '1'.repeat(19), `0.${'0'.repeat(18)}1`]) {
      expect(thrown(() => convert(1n, 'USD', 'EUR', rate))).toBe('rate_range')
    }
  })

  test('an amount out of range before or after a conversion is refused, and so is an unknown currency', () => {
    expect(thrown(() => convert(maxMinor + 1n, 'USD', 'EUR', '0.5'))).toBe('amount_range')
    expect(thrown(() => convert(maxMinor, 'USD', 'EUR', '1.1'))).toBe('amount_range')
    expect(thrown(() => convert(1n, 'USD', 'ZZZ', '1'))).toBe('currency_unknown')
  })

  test('a result is within half a minor unit of the exact value; the negative amount gives the negative result', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
        anyCurrency,
        anyCurrency,
        anyRate,
        (minor, from, to, rate) => {
          const { n, d } = parseRate(rate)
          const exactNumerator = minor * n * 10n ** BigInt(getScale(to))
          const exactDivisor = d * 10n ** BigInt(getScale(from))
          // a result beyond the range of an amount is refused, which another test covers
          fc.pre(absolute(exactNumerator) < maxMinor * exactDivisor)
          const result = convert(minor, from, to, rate)
          expect(2n * absolute(exactNumerator - result * exactDivisor) <= exactDivisor).toBe(true)
          expect(convert(-minor, from, to, rate)).toBe(-result)
        },
      ),
    )
  })

  test('a conversion at rate 1 in the same currency changes nothing', () => {
    fc.assert(fc.property(anyMinor, anyCurrency, (minor, c) => expect(convert(minor, c, c, '1')).toBe(minor)))
  })
})

test('a reported amount is rounded to the currency, half to even; a malformed or too large one is refused', () => {
  const rounded = (text: string, currency = 'USD') => roundAmount(text, currency)
  expect(['1.005', '1.015', '-1.015', '1.0', '7', '0.00499999'].map((text) => rounded(text))).toEqual([
    100n,
    102n,
    -102n,
    100n,
    700n,
    0n,
  ])
  expect([rounded('125.5', 'JPY'), rounded('124.5', 'JPY'), rounded('125.00', 'JPY')]).toEqual([126n, 124n, 125n])
  for (const bad of ['', 'x', '1e3', '1.', '.5', '9999999999999999.999', `1.${'0'.repeat(100)}`]) {
    expect(() => rounded(bad)).toThrow(MoneyError)
  }
})

test('a reported amount may have 16 digits before the point and 64 decimals, and not one more', () => {
  expect(roundAmount('9007199254740990.6', 'JPY')).toBe(maxMinor)
  expect(thrown(() => roundAmount('10000000000000000.4', 'JPY'))).toBe('amount_scale')
  expect(roundAmount(`1.${'0'.repeat(64)}`, 'JPY')).toBe(1n)
  expect(thrown(() => roundAmount(`1.${'0'.repeat(65)}`, 'JPY'))).toBe('amount_scale')
})
