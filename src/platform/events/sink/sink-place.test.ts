import { expect, test } from 'bun:test'
import { parseEventsUrl } from './sink-place.ts'

test.each([
  ['nats://n1/EVENTS', { servers: ['n1:4222'], isTls: false, stream: 'EVENTS' }],
  ['tls://n1,n2,n3/EVENTS', { servers: ['n1:4222', 'n2:4222', 'n3:4222'], isTls: true, stream: 'EVENTS' }],
  ['nats://n1,n2:4300/a-b_1', { servers: ['n1:4300', 'n2:4300'], isTls: false, stream: 'a-b_1' }],
  ['nats://10.0.0.1:1,[::1]:65535/E', { servers: ['10.0.0.1:1', '[::1]:65535'], isTls: false, stream: 'E' }],
])('%s names servers and a stream', (url, place) => {
  expect(parseEventsUrl(url)).toEqual(place)
})

test.each([
  ['http://n1/EVENTS', 'such as nats://n1,n2,n3/EVENTS'],
  ['nats:///EVENTS', 'such as nats://n1,n2,n3/EVENTS'],
  ['nats://n1,/EVENTS', 'such as nats://n1,n2,n3/EVENTS'],
  ['nats://n1:65536/EVENTS', 'such as nats://n1,n2,n3/EVENTS'],
  ['nats://user:secret@n1/EVENTS', 'must hold no user and no password'],
  ['nats://n1/', 'must end with the name of a stream'],
  ['nats://n1/a.b', 'must end with the name of a stream'],
  [`nats://n1/${'a'.repeat(65)}`, 'must end with the name of a stream'],
])('%s is no address of a stream', (url, wanted) => {
  expect(parseEventsUrl(url)).toContain(wanted)
})
