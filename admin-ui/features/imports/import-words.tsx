import { StatusBadge, type Tone } from '../../components/status-badge.tsx'
import type { ImportField, ImportStatus } from './imports.api.ts'
import { say } from './words.ts'

const TONES: Record<ImportStatus, Tone> = {
  receiving: 'info',
  checking: 'info',
  checked: 'off',
  loading: 'info',
  loaded: 'wait',
  posting: 'info',
  done: 'good',
  undoing: 'info',
  undone: 'off',
  failed: 'bad',
}

/** How a file stands. */
export const ImportState = ({ status }: { status: ImportStatus }) => (
  <StatusBadge status={status} tone={TONES[status]} label={say(`movein.status.${status}`)} />
)

/** What a column fills. */
export const fieldLabel = (field: ImportField): string => say(`movein.field.${field}`)
