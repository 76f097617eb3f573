import { useParams } from 'react-router'
import { CallFixtures } from './video/call-fixtures.tsx'
import { useSystem } from '../src/shared/queries.ts'
import { NotFound } from '../src/app/pages/not-found.tsx'

/** `/dev/call/paid`: a screen of a call without a server, for development and the demo installation. */
export function CallFixturesPage() {
  const { screen = 'idle' } = useParams()
  const system = useSystem()
  if (import.meta.env.DEV || system?.demo) return <CallFixtures key={screen} name={screen} />
  return system ? <NotFound /> : <div className="min-h-dvh" />
}
