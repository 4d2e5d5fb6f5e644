import { type Static, Type } from '@sinclair/typebox'
import { MIB } from '../../../platform/bytes.ts'
import { Strict, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { MAX_FILE_MIB } from '../../../words/rule-figures.ts'
import type { FilePurpose } from './files.table.ts'

type Rule = { types: readonly string[]; maxBytes: number }

/** No purpose takes a larger file. */
export const MAX_FILE_BYTES = MAX_FILE_MIB * MIB

/**
 * The types and the largest size that each purpose accepts. SVG is refused, since it can carry scripts. RULES “KYC”
 * lists the documents.
 */
export const FILE_RULES: Readonly<Record<FilePurpose, Rule>> = {
  logo: { types: ['image/png', 'image/jpeg', 'image/webp'], maxBytes: MIB },
  kyc: {
    types: ['application/pdf', 'image/jpeg', 'image/png', 'image/webp', 'image/heic'],
    maxBytes: MAX_FILE_BYTES,
  },
}

export const UploadIn = nameSchema(
  'UploadIn',
  Strict({
    contentType: Type.String({ minLength: 1, maxLength: 100, examples: ['image/png'] }),
    fileSize: Type.Integer({ minimum: 1, description: 'bytes' }),
  }),
)
export const UploadOut = nameSchema(
  'Upload',
  Type.Object({
    key: Type.String(),
    uploadUrl: Type.String({ description: 'address on this host; send the bytes there, once' }),
    method: Type.Literal('PUT'),
    headers: Type.Object({ 'content-type': Type.String() }, { description: 'send exactly these' }),
    expiresAt: Time,
  }),
)
export type Upload = Static<typeof UploadOut>

export const KeyParam = Type.Object({ key: Type.String({ minLength: 1, maxLength: 64 }) })
export const SignedQuery = Strict({
  expires: Type.String({ pattern: '^\\d{1,15}$', description: 'milliseconds since 1970' }),
  signature: Type.String({ minLength: 1, maxLength: 100 }),
})
