import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../config.ts'
import { type Firm, foundFirm } from '../testing/app.ts'
import { rawRequest } from '../testing/raw-http.ts'
import { type Running, startServer } from './serve.ts'

const TOKEN = 'a-token-of-the-tests'

let running: Running
let firm: Firm
const dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-metrics-'))
beforeAll(async () => {
  const env = {
    BROKERBASE_RATE_SHORT: '0',
    BROKERBASE_RATE_MEDIUM: '40',
    BROKERBASE_RATE_LONG: '0',
    BROKERBASE_LOG_LEVEL: 'error',
    BROKERBASE_METRICS_TOKEN: TOKEN,
    BROKERBASE_TRUSTED_PROXIES: '127.0.0.1/32',
  }
  running = await startServer(loadConfig({ 'data-dir': dataDir, port: '0' }, { env }))
  firm = await foundFirm(running.platform, 'alpha')
})
afterAll(async () => {
  await running.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const ask = (path: string, ...headers: string[]): Promise<string> =>
  rawRequest(running.url, [
    `GET ${path} HTTP/1.1`,
    ...(headers.some((line) => line.startsWith('Host:')) ? [] : ['Host: localhost']),
    ...headers,
  ])
const readStatus = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

type Line = { name: string; labels: Readonly<Record<string, string>>; value: number }
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\.)*)"(?:,|$)/g

/** Parses the text format strictly; a line that is neither a comment nor a metric throws. */
function parse(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !/^# (HELP|TYPE) brokerbase_\w+ .|^# (HELP|TYPE) process_\w+ ./.test(line))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^([a-z_]+)(?:\{(.*)\})? (-?[\d.e+-]+)$/.exec(line) ?? []
      if (name === '') throw new Error(`no figure: ${line}`)
      return {
        name,
        labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, key = '', text = '']) => [key, text])),
        value: Number(value),
      }
    })
}
const readMetrics = async (): Promise<Line[]> => parse(await running.platform.metrics.text())
const sumLines = (lines: readonly Line[], name: string, labels: Readonly<Record<string, string>> = {}): number =>
  lines
    .filter((line) => line.name === name && Object.entries(labels).every(([key, text]) => line.labels[key] === text))
    .reduce((sum, { value }) => sum + value, 0)
/** Returns by how much each of these metrics rose during an act. */
const rise = async (what: () => Promise<unknown>, ...of: [string, Readonly<Record<string, string>>?][]) => {
  const before = await readMetrics()
  await what()
  const after = await readMetrics()
  return of.map(([name, labels]) => sumLines(after, name, labels) - sumLines(before, name, labels))
}

describe('metrics are readable', () => {
  test('the metrics can be read on this machine under any host name, at exactly /metrics', async () => {
    for (const host of ['localhost', '10.0.0.7:3000', 'balancer.example']) {
      const answer = await ask('/metrics', `Host: ${host}`)
      expect([host, readStatus(answer)]).toEqual([host, 200])
      expect(answer).toContain('Content-Type: text/plain; version=0.0.4; charset=utf-8')
      expect(answer).toContain('brokerbase_build_info{')
    }
    for (const path of ['/metrics?x', '/metrics/', '/metricsx'])
      expect([path, readStatus(await ask(path, 'Host: balancer.example'))]).toEqual([path, 421])
  })

  test('the metrics cannot be read through a proxy on this machine, whatever it forwards', async () => {
    for (const header of [
      'X-Forwarded-For: 127.0.0.1',
      'X-Forwarded-For: 203.0.113.7',
      'Forwarded: for=127.0.0.1',
      'Via: 1.1 a',
      'X-Real-IP: ::1',
    ]) {
      const answer = await ask('/metrics', header)
      expect([header, readStatus(answer)]).toEqual([header, 403])
      expect(answer).toContain('"code":"system.metrics_closed"')
      expect(answer).not.toContain('brokerbase_')
    }
  })

  test('the metrics can be read from anywhere with the token; a wrong token counts for its sender’s rate limit', async () => {
    const far = 'X-Forwarded-For: 203.0.113.9'
    expect(readStatus(await ask('/metrics', far, `Authorization: Bearer ${TOKEN}`))).toBe(200)
    for (const wrong of [`Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(0, -1)}`, 'Bearer ', TOKEN, `Basic ${TOKEN}`, ''])
      expect([wrong, readStatus(await ask('/metrics', far, `Authorization: ${wrong}`))]).toEqual([wrong, 403])
    const statuses: number[] = []
    for (let n = 0; n < 36; n += 1) statuses.push(readStatus(await ask('/metrics', far, 'Authorization: Bearer guess')))
    expect([statuses[0], statuses.at(-1)]).toEqual([403, 429])
    // the right token still works, and other callers are not limited
    expect(readStatus(await ask('/metrics', far, `Authorization: Bearer ${TOKEN}`))).toBe(200)
    expect(readStatus(await ask('/metrics', 'X-Forwarded-For: 203.0.113.10'))).toBe(403)
  })
})

describe('the metrics', () => {
  test('the metrics are in the text format, each explained once, and cover every part', async () => {
    const text = await running.platform.metrics.text()
    const names = [...text.matchAll(/^# TYPE (\w+) (counter|gauge|histogram)$/gm)].map(([, name = '']) => name)
    expect(new Set(names).size).toBe(names.length)
    expect([...text.matchAll(/^# HELP (\w+) /gm)].map(([, name]) => name)).toEqual(names)
    expect(parse(text).length).toBeGreaterThan(names.length)
    expect(names.toSorted()).toEqual([
      'brokerbase_build_info',
      'brokerbase_database_log_bytes',
      'brokerbase_event_loop_lag_seconds',
      'brokerbase_http_request_seconds',
      'brokerbase_http_requests_total',
      'brokerbase_job_run_seconds',
      'brokerbase_job_runs_total',
      'brokerbase_outbox_events',
      'brokerbase_outbox_oldest_seconds',
      'brokerbase_query_runner_killed_total',
      'brokerbase_query_runner_running',
      'brokerbase_query_runner_waiting',
      'brokerbase_terminal_connections',
      'brokerbase_terminal_findings_open',
      'brokerbase_terminal_lag_seconds',
      'brokerbase_webhook_deliveries_waiting',
      'brokerbase_writer_commit_failures_total',
      'brokerbase_writer_commit_seconds',
      'brokerbase_writer_group_size',
      'brokerbase_writer_queue',
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'process_start_time_seconds',
    ])
  })

  test('the metrics count a request under its route and status, also a refusal and an unknown path', async () => {
    const traderId = await firm.trader()
    const cookie = `Cookie: ${firm.as.viewer.headers.cookie}`
    const requests = 'brokerbase_http_requests_total'
    const route = '/v1/traders/:id'
    const none = { route: 'none', method: 'any' }
    expect(
      await rise(
        async () => {
          await ask(`/v1/traders/${traderId}`, cookie)
          await ask(`/v1/traders/${traderId}`, cookie, 'If-None-Match: "1"')
          await ask(`/v1/traders/${traderId}`)
          await ask('/v1/traders/trd_nobody', cookie)
          await ask('/nothing/trd_secret')
          await ask('/v1/traders', 'Host: elsewhere.example')
        },
        [requests, { method: 'GET', route, status: '200' }],
        [requests, { method: 'GET', route, status: '304' }],
        [requests, { method: 'GET', route, status: '401' }],
        [requests, { method: 'GET', route, status: '404' }],
        [requests, { ...none, status: '404' }],
        [requests, { ...none, status: '421' }],
        [requests],
        ['brokerbase_http_request_seconds_count', { route }],
        ['brokerbase_http_request_seconds_bucket', { route, le: '+Inf' }],
      ),
    ).toEqual([1, 1, 1, 1, 1, 1, 6, 4, 4])
  })

  test('the metrics count pages and their files too, by pattern', async () => {
    const requests = 'brokerbase_http_requests_total'
    expect(
      await rise(
        async () => {
          await ask('/admin/traders/some/one')
          await ask('/docs/guide/start')
          await ask('/docs/json')
        },
        [requests, { route: '/admin/*' }],
        [requests, { route: '/docs/guide/:page' }],
        [requests, { route: '/docs/json' }],
        [requests],
      ),
    ).toEqual([1, 1, 1, 3])
  })

  test('the metrics count a commit with its group, and a failed commit', async () => {
    const { writer, connection, log } = running.platform
    const write = () => connection.run('DELETE FROM box_facts')
    const [groups = 0, writes = 0, timed = 0] = await rise(
      () => Promise.all([writer.submit(write), writer.submit(write), writer.submit(write)]),
      ['brokerbase_writer_group_size_count'],
      ['brokerbase_writer_group_size_sum'],
      ['brokerbase_writer_commit_seconds_count'],
    )
    // jobs may commit meanwhile
    expect(groups).toBeGreaterThanOrEqual(1)
    expect(writes).toBeGreaterThanOrEqual(3)
    expect(timed).toBe(groups)
    let isBroken = true
    const { error } = log
    log.error = () => {}
    writer.beforeCommit(() => {
      if (isBroken) throw new Error('no space left on the disk')
    })
    const [failures] = await rise(async () => {
      await expect(writer.submit(write)).rejects.toThrow('could not commit')
      isBroken = false
    }, ['brokerbase_writer_commit_failures_total'])
    log.error = error
    expect(failures).toBeGreaterThanOrEqual(1)
  })

  test('the metrics have few labels, and none names a firm or a person', async () => {
    const lines = await readMetrics()
    const allowed = new Set([
      'method',
      'route',
      'status',
      'le',
      'job',
      'result',
      'version',
      'commit',
      'runtime',
      'state',
    ])
    expect(lines.flatMap(({ labels }) => Object.keys(labels)).filter((name) => !allowed.has(name))).toEqual([])
    const values = lines.flatMap(({ labels }) => Object.values(labels)).join('\n')
    expect(values).not.toMatch(/alpha|trd_|tnt_|usr_|secret|nobody|203\.0\.113/)
  })
})
