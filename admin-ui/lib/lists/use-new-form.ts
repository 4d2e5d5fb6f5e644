import { useDisclosure } from '@mantine/hooks'
import { useEffect } from 'react'
import { useSearchParams } from './search-params.ts'

/** Holds whether a list's form for a new row is open; `?new=1` opens it once if the reader may create one. */
export const useNewForm = (may: boolean): { opened: boolean; open: () => void; close: () => void } => {
  const [search, setSearch] = useSearchParams()
  const [opened, { open, close }] = useDisclosure()
  const asked = search.new === '1'
  useEffect(() => {
    if (!asked) return
    if (may) open()
    setSearch({ new: undefined })
  }, [asked, may, open, setSearch])
  return { opened, open, close }
}
