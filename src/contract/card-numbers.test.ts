import { expect, test } from 'bun:test'
import type { TSchema } from '@sinclair/typebox'
import { isCardless } from './attacks.ts'
import { getProperties, listAlternatives } from './routes.ts'
import { everyRoute } from './seeded-app.ts'

const SAYS = /^(?:notes?|reason|detail|holder|elsewhere|\w*reference)$/i

/** A text that a trading platform or a gateway reports is never refused; card numbers in it are shortened. */
const REPORTED = ['POST /v1/transfers/:id/acknowledge reference', 'POST /v1/transfers/:id/acknowledge reason']

/** Returns the free texts of a body, with whether each refuses a card number. */
const listTexts = (schema: TSchema): [string, boolean][] =>
  Object.entries(getProperties(schema)).flatMap(([name, property]) =>
    listAlternatives(property).flatMap((option): [string, boolean][] => {
      if (option.type === 'object') return listTexts(option)
      return option.type === 'string' && option.enum === undefined && SAYS.test(name)
        ? [[name, isCardless(option)]]
        : []
    }),
  )

test('every note, reason and reference that a person enters refuses a card number', () => {
  const texts = everyRoute().flatMap(({ key, body }) =>
    body === undefined
      ? []
      : listTexts(body).map(([name, refuses]) => [`${key} ${name}`, refuses] as [string, boolean]),
  )
  expect(texts.length).toBeGreaterThan(30)
  expect(texts.filter(([, refuses]) => !refuses).map(([where]) => where)).toEqual(REPORTED)
})
