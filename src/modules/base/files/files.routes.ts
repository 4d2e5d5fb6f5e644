import { RawBody } from '../../../platform/http/body/body.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Bytes, None, op } from '../../../platform/http/openapi/openapi.ts'
import { KeyParam, MAX_FILE_BYTES, SignedQuery } from './files.model.ts'
import { admitUpload, readPublicFile, receiveUpload } from './files.service.ts'
import { createSharedBody } from './public-file-cache.ts'

/** Signed uploads and public files. A key names the same content for ever. */
export const fileRoutes = declareRoutes('Files')
  .get(
    '/v1/files/:key',
    ({ ctx, params, set }) => {
      const { contentType, bytes } = readPublicFile(ctx, params.key)
      set.headers['cache-control'] = 'public, max-age=31536000, immutable'
      set.headers['content-type'] = contentType
      set.headers['content-disposition'] = contentType.startsWith('image/') ? 'inline' : 'attachment'
      set.headers['content-security-policy'] = "default-src 'none'; sandbox"
      return new Response(createSharedBody(bytes))
    },
    {
      access: 'public',
      params: KeyParam,
      ...op('files.get', 'A public file, such as a logo', { 200: Bytes }, [404]),
    },
  )
  .put(
    '/v1/files/:key',
    ({ ctx, params, query, body, request }) =>
      receiveUpload(ctx, params.key, query, request.headers.get('content-type') ?? '', body),
    {
      access: 'public',
      empty: true,
      params: KeyParam,
      query: SignedQuery,
      body: RawBody('application/octet-stream', { maxBytes: MAX_FILE_BYTES, admit: admitUpload }),
      ...op(
        'files.upload',
        'Upload to a signed address: raw bytes of exactly the announced type and size, once',
        { 204: None },
        [403, 409, 410, 413, 415, 422],
      ),
    },
  )
