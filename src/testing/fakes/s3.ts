import { createHash, randomUUID } from 'node:crypto'

type Stored = { bytes: Uint8Array; etag: string; at: Date; meta: Record<string, string> }

/** An S3 store over real HTTP: the part of Amazon's S3 that Bun's client and the replication engine use. */
export type S3 = {
  url: string
  accessKeyId: string
  secretAccessKey: string
  /** The stored objects, by bucket and key: `bucket/path/to/it`. */
  objects: Map<string, Stored>
  /** Sets the behaviour: it answers calls, refuses each call (503), or accepts each call and never answers. */
  be(mood: 'well' | 'refusing' | 'hanging'): void
  /** Returns how many calls hang. */
  hanging(): number
  stop(): Promise<void>
}

const PAGE = 1000
const escaped = (text: string): string => Bun.escapeHTML(text)
const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex')
const xml = (body: string, status = 200): Response =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`, {
    status,
    headers: { 'content-type': 'application/xml' },
  })
const problem = (status: number, code: string): Response =>
  xml(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status)

/** Returns the bytes of a body that was sent in pieces with their lengths (and possibly a checksum after the last). */
function unchunked(bytes: Uint8Array): Uint8Array {
  const body = Buffer.from(bytes)
  const pieces: Buffer[] = []
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.subarray(at, end).toString('latin1').split(';')[0] ?? '', 16)
    if (!(size > 0)) return Buffer.concat(pieces)
    pieces.push(body.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}

async function readBody(request: Request): Promise<Uint8Array> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  return request.headers.get('content-encoding')?.includes('aws-chunked') ? unchunked(bytes) : bytes
}

const pickMeta = ({ headers }: Request): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-amz-meta-')))

/** Starts an empty store on this machine; every bucket exists. */
export function startS3(): S3 {
  const objects = new Map<string, Stored>()
  const uploads = new Map<string, Map<number, Uint8Array>>()
  const hanging = new Set<() => void>()
  const accessKeyId = 'test-access-key'
  let mood: Parameters<S3['be']>[0] = 'well'

  const put = (key: string, bytes: Uint8Array, meta: Record<string, string>): string => {
    const etag = `"${md5(bytes)}"`
    objects.set(key, { bytes, etag, at: new Date(), meta })
    return etag
  }

  function list(bucket: string, query: URLSearchParams): Response {
    const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? '']
    const after = query.get('continuation-token') ?? query.get('start-after') ?? ''
    const most = Math.min(Number(query.get('max-keys') ?? PAGE), PAGE)
    const names = [...objects.keys()]
      .filter((name) => name.startsWith(`${bucket}/`))
      .map((name) => name.slice(bucket.length + 1))
      .filter((name) => name.startsWith(prefix) && name > after)
      .sort()
    const page = names.slice(0, most)
    const folders = new Set<string>()
    const contents = page.flatMap((name) => {
      const cut = delimiter === '' ? -1 : name.indexOf(delimiter, prefix.length)
      if (cut >= 0) {
        folders.add(name.slice(0, cut + delimiter.length))
        return []
      }
      const one = objects.get(`${bucket}/${name}`)
      return one
        ? `<Contents><Key>${escaped(name)}</Key><LastModified>${one.at.toISOString()}</LastModified><ETag>${escaped(one.etag)}</ETag><Size>${one.bytes.length}</Size></Contents>`
        : []
    })
    const isCut = names.length > page.length
    const more = isCut ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>` : ''
    const prefixes = [...folders].map((name) => `<CommonPrefixes><Prefix>${escaped(name)}</Prefix></CommonPrefixes>`)
    return xml(
      `<ListBucketResult><Name>${bucket}</Name><KeyCount>${page.length}</KeyCount><IsTruncated>${isCut}</IsTruncated>${more}${contents.join('')}${prefixes.join('')}</ListBucketResult>`,
    )
  }

  function get(stored: Stored | undefined, request: Request): Response {
    if (!stored) return request.method === 'HEAD' ? new Response(null, { status: 404 }) : problem(404, 'NoSuchKey')
    const { bytes, etag, at, meta } = stored
    const headers = { ...meta, etag, 'last-modified': at.toUTCString(), 'accept-ranges': 'bytes' }
    const [, from = '', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get('range') ?? '') ?? []
    if (request.method === 'HEAD')
      return new Response(null, { headers: { ...headers, 'content-length': String(bytes.length) } })
    if (from === '') return new Response(bytes.slice(), { headers })
    const last = to === '' ? bytes.length - 1 : Math.min(Number(to), bytes.length - 1)
    const part = { ...headers, 'content-range': `bytes ${from}-${last}/${bytes.length}` }
    return new Response(bytes.slice(Number(from), last + 1), { status: 206, headers: part })
  }

  async function write(key: string, query: URLSearchParams, request: Request): Promise<Response> {
    const bytes = await readBody(request)
    const upload = uploads.get(query.get('uploadId') ?? '')
    if (query.has('uploadId') && !upload) return problem(404, 'NoSuchUpload')
    if (upload) {
      upload.set(Number(query.get('partNumber')), bytes)
      return new Response(null, { headers: { etag: `"${md5(bytes)}"` } })
    }
    const there = objects.get(key)
    if (request.headers.get('if-none-match') === '*' && there) return problem(412, 'PreconditionFailed')
    const match = request.headers.get('if-match')
    if (match !== null && match !== there?.etag) return problem(412, 'PreconditionFailed')
    return new Response(null, { headers: { etag: put(key, bytes, pickMeta(request)) } })
  }

  async function post(bucket: string, key: string, query: URLSearchParams, request: Request): Promise<Response> {
    if (query.has('delete')) {
      const text = new TextDecoder().decode(await readBody(request))
      const names = [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name = '']) => name)
      for (const name of names) objects.delete(`${bucket}/${name}`)
      return xml(
        `<DeleteResult>${names.map((name) => `<Deleted><Key>${name}</Key></Deleted>`).join('')}</DeleteResult>`,
      )
    }
    if (query.has('uploads')) {
      const id = randomUUID()
      uploads.set(id, new Map())
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    const parts = uploads.get(query.get('uploadId') ?? '')
    if (!parts) return problem(404, 'NoSuchUpload')
    uploads.delete(query.get('uploadId') ?? '')
    const bytes = Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, part]) => part))
    const etag = put(key, bytes, {})
    return xml(`<CompleteMultipartUploadResult><ETag>${escaped(etag)}</ETag></CompleteMultipartUploadResult>`)
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    maxRequestBodySize: 1 << 30,
    fetch: async (request) => {
      if (mood === 'refusing') return problem(503, 'SlowDown')
      if (mood === 'hanging') await new Promise<void>((resolve) => hanging.add(resolve))
      const { pathname, searchParams: query } = new URL(request.url)
      const [, bucket = '', ...rest] = pathname.split('/').map(decodeURIComponent)
      const key = `${bucket}/${rest.join('/')}`
      const signature = request.headers.get('authorization') ?? query.get('X-Amz-Credential') ?? ''
      if (!signature.includes(accessKeyId)) return problem(403, 'AccessDenied')
      if (request.method === 'PUT') return write(key, query, request)
      if (request.method === 'POST') return post(bucket, key, query, request)
      if (request.method === 'DELETE') {
        if (query.has('uploadId')) uploads.delete(query.get('uploadId') ?? '')
        else objects.delete(key)
        return new Response(null, { status: 204 })
      }
      if (rest.join('/') === '') return query.has('location') ? xml('<LocationConstraint/>') : list(bucket, query)
      return get(objects.get(key), request)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    accessKeyId,
    secretAccessKey: 'test-secret-key-of-the-bucket',
    objects,
    hanging: () => hanging.size,
    be: (next) => {
      mood = next
      if (next === 'hanging') return
      for (const resolve of hanging) resolve()
      hanging.clear()
    },
    stop: () => server.stop(true),
  }
}
