import { Gallery } from '@duet/ui/gallery'
import { useSystem } from '../src/shared/queries.ts'
import { NotFound } from '../src/app/pages/not-found.tsx'

/** `/dev/ui`: every component in every state, for development and the demo installation. */
export function ComponentsPage() {
  const system = useSystem()
  if (import.meta.env.DEV || system?.demo) return <Gallery />
  return system ? <NotFound /> : <div className="min-h-dvh" />
}
