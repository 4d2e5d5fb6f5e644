import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { traderName } from './trader-names.ts'
import { fetchTraders } from './traders.api.ts'

/** Finds a trader by name, e-mail, phone or id; the value is the id. */
export const TraderPicker = (props: Omit<SelectProps, 'data'>) => {
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text.trim(), 250)
  const found = useQuery({
    queryKey: ['traders', 'pick', asked],
    queryFn: () => fetchTraders({ q: asked, limit: 8 }),
  })
  // Who was found for other words must not be chosen for these.
  const current = asked === text.trim()
  const data = (current ? (found.data?.data ?? []) : []).map((trader) => ({
    value: trader.id,
    label: trader.email ? `${traderName(trader)} · ${trader.email}` : traderName(trader),
  }))
  return (
    <Select
      label="Trader"
      placeholder="Name, e-mail or phone"
      searchable
      // It has the focus when a form opens; the list comes with the first letter, not over the form.
      openOnFocus={false}
      maxDropdownHeight={440}
      data={data}
      searchValue={text}
      onSearchChange={setText}
      // The server has searched already; a chosen label must not filter its own list away.
      filter={({ options }) => options}
      nothingFoundMessage={found.isFetching || !current ? 'Searching…' : 'Nobody found'}
      {...props}
    />
  )
}
