import { queryOptions } from '@tanstack/react-query'
import { fetchFirm } from '../../firm/settings/settings.api.ts'

/** Reads the settings of the firm, of which reports use the currency. */
export const settingsQuery = queryOptions({ queryKey: ['firm'], queryFn: fetchFirm })
