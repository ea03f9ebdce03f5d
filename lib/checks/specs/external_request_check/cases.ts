import { externalRequestCheck } from '../../archive/external-request-check'
import { adRequest, archive, askingAd, html, plainArchive, ranAd } from '../../testing'
import { specOf } from '../spec'

const library = adRequest('https://cdn.example/lib.js', { status: 'outside', kind: 'Script', bytes: 0, packedBytes: 0 })

/** A page, and files beside it. */
const page = (text: string, ...beside: string[]) =>
  archive({
    documents: [{ path: 'index.html', text }],
    entries: ['index.html', ...beside].map((path) => ({ path, size: 900, compressedSize: 400 })),
    entryCount: 1 + beside.length,
  })
const IMAGE = '<img src="https://cdn.example.net/a.png" alt="">'

export const spec = specOf(externalRequestCheck, {
  good: [
    {
      name: 'brings all along',
      given: html('<img src="hero.jpg"><a href="https://example.com">Go</a>'),
    },
    {
      name: 'names a server that is allowed',
      given: html('<script src="https://s0.2mdn.net/ads.js"></script>'),
    },
    { name: 'asks for its own files when run', given: ranAd(), confidence: 0.95 },
    {
      name: 'holds nothing that could ask',
      given: page('<img src="hero.jpg"><a href="https://example.com">Go</a>', 'hero.jpg'),
      confidence: 0.99,
    },
    { name: 'holds a script of one page', given: page('<script>go()</script>'), confidence: 0.97 },
    {
      name: 'holds a script and a click tag',
      given: page('<script>var clickTag = "https://example.com"; go()</script>'),
      confidence: 0.97,
    },
    {
      name: 'holds a script that names an address',
      given: page('<script>go("https://example.com")</script>'),
      confidence: 0.75,
    },
    { name: 'holds a script that puts code together', given: page('<script>eval(a + b)</script>'), confidence: 0.75 },
    {
      name: 'loads from a server that is allowed',
      given: page('<script src="https://s0.2mdn.net/ads.js"></script>'),
      confidence: 0.9,
    },
    { name: 'holds a style sheet', given: page('<img src="hero.jpg">', 'a.css'), confidence: 0.75 },
    {
      name: 'states an address',
      given: page('<meta property="og:url" content="https://example.com">'),
      confidence: 0.75,
    },
    { name: 'holds a script file', given: page('<script src="a.js"></script>', 'a.js'), confidence: 0.6 },
  ],
  bad: [
    {
      name: 'names another server',
      given: html('<script src="https://cdn.example.net/lib.js"></script>'),
      details: /“cdn.example.net”/,
    },
    {
      name: 'names another server without a scheme',
      given: html('<link rel="stylesheet" href="//fonts.example/x.css">'),
    },
    {
      name: 'names a server that is allowed without encryption',
      given: html('<script src="http://s0.2mdn.net/ads.js"></script>'),
      details: /without encryption/,
    },
    {
      name: 'a script asks another server when run',
      given: askingAd(library),
      details: /“cdn.example”/,
      confidence: 1,
    },
    { name: 'an element of the page', given: page(IMAGE), confidence: 1 },
    { name: 'an element behind a script', given: page(`<SCRIPT>go()</script>${IMAGE}<style>`), confidence: 1 },
    { name: 'an element in a script that is not closed', given: page(`<script>${IMAGE}`), confidence: 0.9 },
    { name: 'an element in a template', given: page(`<template>${IMAGE}</template>`), confidence: 0.9 },
    { name: 'an image that is put off', given: page(IMAGE.replace('<img', '<img loading="lazy"')), confidence: 0.9 },
    {
      name: 'a style, which need not apply',
      given: page('<style>.a{background:url(//cdn.example.net/a.png)}</style>'),
      confidence: 0.9,
    },
    {
      name: 'a style sheet that is imported',
      given: page('<style>@import "//c.example/a.css";</style>'),
      confidence: 1,
    },
    {
      name: 'a style sheet that is imported under a condition',
      given: page('<style>@import "//c.example/a.css" print;</style>'),
      confidence: 0.9,
    },
    {
      name: 'an element that was not asked for when it was run',
      given: { ...ranAd(), media: page(IMAGE).media },
      confidence: 0.9,
    },
    {
      name: 'opens a socket without encryption to a server that is allowed when run',
      given: askingAd(adRequest('ws://s0.2mdn.net/x', { status: 'outside', kind: 'WebSocket' })),
      details: /without encryption/,
    },
  ],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
})
