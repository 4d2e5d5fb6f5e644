import { queryOptions } from '@tanstack/react-query'
import { fetchFirm } from '../../firm/settings/settings.api.ts'

/** The firm's own settings: its currency and its calendar. */
export const settingsQuery = queryOptions({ queryKey: ['firm'], queryFn: fetchFirm })
