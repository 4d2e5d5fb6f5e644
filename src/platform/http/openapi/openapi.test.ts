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

/** Checked by tsc and never called: each handler answers what its route declares. */
export const right = () =>
  declareRoutes('Lamps')
    .get('/one/:id', ({ params }) => ({ ...lamp, id: params.id }), { access, params: IdParam, ...one })
    .post('/made', async () => lamp, { access, creates: true, ...made })
    .post('/agreed', () => lamp, { access, ...agreed })
    .get('/list', () => page, { access, ...list })
    .delete('/none', async () => null, { access, empty: true, ...none })
    .get('/csv', () => new Response(''), { access, ...csv })
    .get('/bytes', async () => new Response(''), { access, ...bytes })

/** Here no handler does. */
export const wrong = () =>
  declareRoutes('Lamps')
    // @ts-expect-error a field is missing
    .get('/missing', () => ({ id: 'a' }), { access, ...one })
    // @ts-expect-error a field is of another type
    .get('/type/:id', ({ params }) => ({ ...lamp, id: params.id.length }), { access, params: IdParam, ...one })
    // @ts-expect-error a word is not of the list
    .get('/word', async () => ({ id: 'a', colour: 'blue' }), { access, ...one })
    // @ts-expect-error it may be absent
    .get('/absent', () => [lamp].find(({ id }) => id === 'b'), { access, ...one })
    // @ts-expect-error a 201 is held to its schema like a 200
    .post('/made', async () => ({ id: 'a' }), { access, creates: true, ...made })
    // @ts-expect-error so are a 200 and a 202 of one operation
    .post('/agreed', () => ({ colour: 'red' }) as const, { access, ...agreed })
    // @ts-expect-error a list is no page
    .get('/list', () => [lamp], { access, ...list })
    // @ts-expect-error a row of a page is held to its schema
    .get('/rows', () => ({ data: [{ id: 'a' }], nextCursor: null }), { access, ...list })
    // @ts-expect-error nothing is answered with 204
    .delete('/none', async () => lamp, { access, empty: true, ...none })
    // @ts-expect-error a file is a Response
    .get('/csv', () => 'id,colour', { access, ...csv })
    // @ts-expect-error so are bytes
    .get('/bytes', async () => lamp, { access, ...bytes })

test('a declared answer is for the compiler only: Elysia is given nothing to validate', () => {
  for (const declared of [one, made, agreed, list, none, csv, bytes]) expect(Object.keys(declared)).toEqual(['detail'])
})
