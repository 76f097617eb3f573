import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The least landing page: one answer with its styles, a heading, a line and a button. No landing page is faster here.
 */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Floor</title>
    <link rel="icon" href="data:,">
    <style>
      body { margin: 0; background: #0f0b0a; color: #f6efe9; font: 18px/1.5 system-ui, sans-serif }
      main { max-width: 40rem; margin: 20vh auto 0; padding: 0 1.5rem }
      h1 { font-size: 3rem; line-height: 1.1 }
      button { font: inherit; padding: 1rem 2rem; border: 0; border-radius: 2rem; background: #e5484d; color: #fff }
    </style>
  </head>
  <body>
    <main>
      <h1>Meet someone new, face to face, in a moment</h1>
      <p>One press, and someone looks back at you. No forms before the first smile.</p>
      <button>Begin</button>
    </main>
  </body>
</html>
`

export async function startFloor(): Promise<{ port: number; stop(): void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
