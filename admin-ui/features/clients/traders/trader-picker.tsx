import type { SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SearchSelect } from '../../../components/forms/search-select.tsx'
import { errorText } from '../../../components/page/error-state.tsx'
import { traderName } from './trader-names.ts'
import { fetchTraders } from './traders.api.ts'
import { say } from './words.ts'

/** Says why no client is offered; a failed search must not look as if it had found no client. */
const foundNothing = ({ isReady, error }: { isReady: boolean; error: unknown }): string => {
  if (!isReady) return say('common.searching')
  return error ? errorText(error) : say('common.client.empty')
}

/** Finds a client by name, e-mail, phone or id; the value is the id. */
export const TraderPicker = (props: Omit<SelectProps, 'data'>) => {
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text.trim(), 250)
  const found = useQuery({
    queryKey: ['traders', 'pick', asked],
    queryFn: () => fetchTraders({ q: asked, limit: 8 }),
  })
  // The results of an earlier search text must not be chosen for this one.
  const current = asked === text.trim()
  const data = (current ? (found.data?.data ?? []) : []).map((trader) => ({
    value: trader.id,
    label: trader.email ? `${traderName(trader)} · ${trader.email}` : traderName(trader),
  }))
  return (
    <SearchSelect
      label={say('common.client')}
      placeholder={say('common.client_words')}
      maxDropdownHeight={440}
      data={data}
      text={text}
      onText={setText}
      isReady={current && !found.isFetching}
      nothingFoundMessage={foundNothing({ isReady: current && !found.isFetching, error: found.error })}
      {...props}
    />
  )
}
