import { queryOptions } from '@tanstack/react-query'
import { fetchFirm } from '../../firm/settings/settings.api.ts'

/** Reads the settings of the firm, whose currency reports use. */
export const settingsQuery = queryOptions({ queryKey: ['firm'], queryFn: fetchFirm })
