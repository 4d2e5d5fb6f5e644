import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** The page's query parameters; they are always text, so that a typed address means what it says. */
export type SearchParams = Record<string, string>

export const parseSearch = (search: string): SearchParams => Object.fromEntries(new URLSearchParams(search))

export const stringifySearch = (search: Record<string, unknown>): string => {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') params.set(key, String(value))
  }
  const text = params.toString()
  return text ? `?${text}` : ''
}

/** Keeps only text values; every route uses it as validateSearch. */
export const textSearch = (search: Record<string, unknown>): SearchParams =>
  Object.fromEntries(Object.entries(search).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))

/** Reads and changes the page's query parameters. An empty value removes the parameter. */
export const useSearchParams = (): [SearchParams, (change: Record<string, string | undefined>) => void] => {
  const search: SearchParams = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = useCallback(
    (values: Record<string, string | undefined>): void => {
      void navigate({
        to: '.',
        replace: true,
        search: (previous: Record<string, unknown>) => textSearch(dropEmpty({ ...previous, ...values })),
      })
    },
    [navigate],
  )
  return [search, change]
}

const dropEmpty = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''))
