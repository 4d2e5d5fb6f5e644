import type { SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SearchSelect } from '../../../components/forms/search-select.tsx'
import { affiliateName } from './affiliate-words.tsx'
import { fetchAffiliate, fetchAffiliates } from './affiliates.api.ts'
import { say } from './words.ts'

/** Finds an affiliate by code or client; the value is the id. */
export const AffiliatePicker = ({ value, ...props }: Omit<SelectProps, 'data'>) => {
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text.trim(), 250)
  const found = useQuery({
    queryKey: ['affiliates', 'pick', asked],
    queryFn: () => fetchAffiliates({ limit: 10, ...(asked && { q: asked }) }),
  })
  // the chosen affiliate is shown by name, whether a search finds them or not
  const chosen = useQuery({
    queryKey: ['affiliates', 'one', value],
    queryFn: () => fetchAffiliate(String(value)),
    enabled: Boolean(value),
  })
  const rows = [...(found.data?.data ?? []), ...(chosen.data ? [chosen.data] : [])]
  const data = [...new Map(rows.map((row) => [row.id, row])).values()].map((row) => ({
    value: row.id,
    label: `${affiliateName(row)} · ${row.code}`,
  }))
  return (
    <SearchSelect
      clearable
      placeholder={say('affiliates.picker.placeholder')}
      nothingFoundMessage={say('affiliates.picker.nothing')}
      data={data}
      text={text}
      onText={setText}
      isReady={asked === text.trim() && !found.isFetching}
      value={value || null}
      {...props}
    />
  )
}
