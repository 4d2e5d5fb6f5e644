import { expect, test } from 'bun:test'
import { loadConfig } from '../../config.ts'
import { below, buildReplica, parseReplicaUrl } from './replica-place.ts'

test('a directory and a bucket are read from their addresses', () => {
  expect(parseReplicaUrl('file:///var/backup%20s/')).toEqual({ kind: 'file', directory: '/var/backup s' })
  expect(parseReplicaUrl('s3://firm/office/?endpoint=https://s3.example.com/&region=eu-1')).toEqual({
    kind: 's3',
    bucket: 'firm',
    prefix: 'office',
    endpoint: 'https://s3.example.com',
    region: 'eu-1',
  })
})

test.each([
  ['backup', 'must be an address'],
  ['file://backup', 'must name a directory by its whole path'],
  ['file:///', 'must name a directory by its whole path'],
  ['s3:///path', 'must name a bucket'],
  ['s3://key:secret@bucket/path', 'must hold no user and no key'],
  ['s3://bucket?endpoint=s3.example.com', 'must have an endpoint'],
  ['s3://bucket?endpoint=https://key:secret@s3.example.com', 'must have an endpoint'],
  ['file:///backup%zz', 'must have %25'],
  ['sftp://us%er@host/path', 'must have %25'],
  ['https://example.com/backup', 'must begin with'],
  ['sftp://host/path', 'must name user and host'],
  ['sftp://user:secret@host/path', 'must hold no user and no key'],
])('the address %s of a replica is refused: it %s', (url, words) => {
  expect(parseReplicaUrl(url)).toStartWith(words)
  expect(() => loadConfig({}, { env: { BROKERBASE_REPLICA_URL: url } })).toThrow('BROKERBASE_REPLICA_URL')
})

test('a bucket without keys, and waiting for a replica without one, are refused at the start', () => {
  const load = (env: Record<string, string>) => () => loadConfig({}, { env })
  expect(load({ BROKERBASE_REPLICA_URL: 's3://firm' })).toThrow('BROKERBASE_REPLICA_ACCESS_KEY_ID')
  expect(load({ BROKERBASE_REPLICA_WAIT: 'all' })).toThrow('BROKERBASE_REPLICA_WAIT')
  expect(load({ BROKERBASE_REPLICA_URL: 'file:///b', BROKERBASE_REPLICA_WAIT: 'some' })).toThrow('off, money or all')
})

test('each database has its own path in each history', () => {
  const place = parseReplicaUrl('s3://firm/office?endpoint=http://127.0.0.1:9')
  if (typeof place === 'string') throw new Error(place)
  expect(below(place, 'a', 'b')).toBe('office/a/b')
  expect(buildReplica(place, '01a', 'files.db', null)).toEqual({
    type: 's3',
    bucket: 'firm',
    path: 'office/01a/files.db',
    endpoint: 'http://127.0.0.1:9',
    'force-path-style': true,
  })
})

test('a host is read from its address, and is refused without the keys of user and host', () => {
  const url = 'sftp://acme@[::1]:2222/backup/acme/'
  const place = parseReplicaUrl(url)
  if (typeof place === 'string') throw new Error(place)
  expect(place).toEqual({ kind: 'sftp', host: '::1', port: 2222, user: 'acme', directory: '/backup/acme' })
  expect(buildReplica(place, '01a', 'files.db', { keyFile: '/k', hostKey: 'ssh-ed25519 AAAA' })).toEqual({
    type: 'sftp',
    host: '[::1]:2222',
    user: 'acme',
    path: '/backup/acme/01a/files.db',
    'key-path': '/k',
    'host-key': 'ssh-ed25519 AAAA',
  })
  const load = (env: Record<string, string>) => () => loadConfig({}, { env: { BROKERBASE_REPLICA_URL: url, ...env } })
  expect(load({})).toThrow('BROKERBASE_REPLICA_SSH_KEY')
  const key = { BROKERBASE_REPLICA_SSH_KEY: '-----BEGIN OPENSSH PRIVATE KEY-----' }
  expect(load(key)).toThrow('BROKERBASE_REPLICA_HOST_KEY')
  expect(load({ ...key, BROKERBASE_REPLICA_HOST_KEY: 'AAAA' })).toThrow('BROKERBASE_REPLICA_HOST_KEY')
})
