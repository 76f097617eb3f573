import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openApi } from '@duet/protocol/reference/openapi.ts'

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js']

const page = `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Duet: the HTTP interface</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/show.js"></script>
</body>
</html>
`
const show = `SwaggerUIBundle({ url: '/api/docs/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'none', validatorUrl: null })\n`

/** The reference of the HTTP interface at `/api/docs`. The document is composed at the first request. */
export function mountReference(fastify: FastifyInstance): void {
  let document: string | undefined
  const folder = join(
    dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')),
    'static',
  )
  fastify.get('/api/docs', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('Cache-Control', 'no-cache').send(page),
  )
  fastify.get('/api/docs/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((document ??= JSON.stringify(openApi()))),
  )
  fastify.get('/api/docs/show.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(show),
  )
  for (const file of ASSETS)
    fastify.get(`/api/docs/${file}`, (_request, reply) => reply.sendFile(file, folder))
}
