import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { IdParam, OneOf } from '../../wire/fields.ts'
import { declareRoutes } from '../front/routes.ts'
import { Page } from '../lists/page.ts'
import { Bytes, Csv, None, op } from './openapi.ts'

const Lamp = Type.Object({ id: Type.String(), colour: OneOf(['red', 'green']) })
const lamp = { id: 'a', colour: 'red' } as const
const page = { data: [lamp], nextCursor: null }
const one = op('lamps.get', 'One lamp', { 200: Lamp })
const made = op('lamps.create', 'Make a lamp', { 201: Lamp })
const agreed = op('lamps.switch', 'Switch a lamp, by two people', { 200: Lamp, 202: Lamp })
const list = op('lamps.list', 'List lamps', { 200: Page(Lamp) })
const none = op('lamps.delete', 'Break a lamp', { 204: None })
const csv = op('lamps.export', 'Export lamps', { 200: Csv })
const bytes = op('lamps.file', 'A lamp itself', { 200: Bytes })
const access = 'public'

/** Each handler answers what its route declares, so this compiles. It is never called. */
export const right = () =>
  declareRoutes('Lamps')
    .get('/one/:id', ({ params }) => ({ ...lamp, id: params.id }), { access, params: IdParam, ...one })
    .post('/made', async () => lamp, { access, creates: true, ...made })
    .post('/agreed', () => lamp, { access, ...agreed })
    .get('/list', () => page, { access, ...list })
    .delete('/none', async () => null, { access, empty: true, ...none })
    .get('/csv', () => new Response(''), { access, ...csv })
    .get('/bytes', async () => new Response(''), { access, ...bytes })

/** No handler here answers what its route declares. */
export const wrong = () =>
  declareRoutes('Lamps')
    // @ts-expect-error the answer lacks a field
    .get('/missing', () => ({ id: 'a' }), { access, ...one })
    // @ts-expect-error a field of the answer has another type
    .get('/type/:id', ({ params }) => ({ ...lamp, id: params.id.length }), { access, params: IdParam, ...one })
    // @ts-expect-error the value is not in the list of allowed ones
    .get('/word', async () => ({ id: 'a', colour: 'blue' }), { access, ...one })
    // @ts-expect-error the answer may be undefined
    .get('/absent', () => [lamp].find(({ id }) => id === 'b'), { access, ...one })
    // @ts-expect-error a 201 must match its schema like a 200
    .post('/made', async () => ({ id: 'a' }), { access, creates: true, ...made })
    // @ts-expect-error the answer must match the schema of the 200 or of the 202
    .post('/agreed', () => ({ colour: 'red' }) as const, { access, ...agreed })
    // @ts-expect-error a list is no page
    .get('/list', () => [lamp], { access, ...list })
    // @ts-expect-error a row of a page must match its schema
    .get('/rows', () => ({ data: [{ id: 'a' }], nextCursor: null }), { access, ...list })
    // @ts-expect-error a 204 has no body
    .delete('/none', async () => lamp, { access, empty: true, ...none })
    // @ts-expect-error a file must be a Response
    .get('/csv', () => 'id,colour', { access, ...csv })
    // @ts-expect-error bytes must be a Response
    .get('/bytes', async () => lamp, { access, ...bytes })

test('a declared answer is checked by the compiler only, and gives Elysia nothing to validate', () => {
  for (const declared of [one, made, agreed, list, none, csv, bytes]) expect(Object.keys(declared)).toEqual(['detail'])
})
