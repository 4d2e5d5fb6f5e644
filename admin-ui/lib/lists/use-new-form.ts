import { useCallback, useEffect, useState } from 'react'
import { useSearchParams } from './search-params.ts'

type NewForm = {
  opened: boolean
  /** What the address asked for by `?new=`, such as `manager` for an invitation; `1` is the usual form. */
  kind: string
  open: () => void
  close: () => void
}

/** Holds whether a page's form for a new row is open; `?new=1` opens it once if the reader may create one. */
export const useNewForm = (may: boolean): NewForm => {
  const [search, setSearch] = useSearchParams()
  const [kind, setKind] = useState<string | null>(null)
  const asked = search.new
  useEffect(() => {
    if (!asked) return
    if (may) setKind(asked)
    setSearch({ new: undefined })
  }, [asked, may, setSearch])
  const open = useCallback(() => setKind('1'), [])
  const close = useCallback(() => setKind(null), [])
  return { opened: kind !== null, kind: kind ?? '1', open, close }
}
