import { expect, test } from 'bun:test'
import { loadConfig } from '../../config.ts'
import { freePort } from '../../testing/pebble.ts'
import { engineEnvironment } from './engine-config.ts'
import { explained } from './network-words.ts'
import { openStore } from './open-store.ts'
import type { ReplicaPlace } from './replica-place.ts'

const bucketAt = (endpoint: string) => {
  const place: ReplicaPlace = { kind: 's3', bucket: 'b', prefix: 'p', endpoint, region: null }
  return openStore(place, { s3: { accessKeyId: 'id', secretAccessKey: 'secret' } })
}

test('the error of a bucket says whether it refuses the connection or its name cannot be resolved', async () => {
  const closed = `http://127.0.0.1:${freePort()}`
  await expect(bucketAt(closed).read('a')).rejects.toThrow(`${closed} refuses the connection`)
  await expect(bucketAt(closed).has('a')).rejects.toThrow('refuses the connection')
  await expect(bucketAt('http://nowhere.invalid').list('a')).rejects.toThrow('cannot be resolved')
})

test.each([
  ['ETIMEDOUT', 'does not answer in time'],
  ['ConnectionClosed', 'closed the connection'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
  ['CERT_HAS_EXPIRED', 'has ended'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'another name'],
])('the network failure %s is explained by “%s”', (code, words) => {
  const told = explained('https://s3.test', Object.assign(new Error('an unexpected error has occurred'), { code }))
  expect(String(told)).toContain(words)
  expect(told).toMatchObject({ code })
})

test('an error that the bucket itself returned is passed on unchanged', () => {
  for (const error of [Object.assign(new Error('Forbidden'), { code: 'AccessDenied' }), new Error('x'), 'x'])
    expect(explained('https://s3.test', error)).toBe(error)
})

test('the environment of the engine has the certificate authority of the place, and nothing else', () => {
  expect(engineEnvironment({})).toEqual({})
  const replica = { 'data-dir': '/srv/data', 'replica-url': 'file:///srv/replica' }
  const keys = loadConfig(replica, { env: { NODE_EXTRA_CA_CERTS: '/etc/ca.pem' } }).replica?.keys
  expect(engineEnvironment(keys ?? {})).toEqual({ SSL_CERT_FILE: '/etc/ca.pem' })
})
