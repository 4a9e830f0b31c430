//! The requests that are answered, each by a function of the file as it is known now.

use crate::document::Document;
use crate::resolve::View;
use crate::{completion, hints, hover, symbols};
use lsp_server::{ErrorCode, Request as Asked, ResponseError};
use lsp_types::request::{
    Completion, DocumentSymbolRequest, GotoDefinition, HoverRequest, InlayHintRequest, Request, SignatureHelpRequest,
};
use lsp_types::{
    CompletionOptions, CompletionResponse, DocumentSymbolResponse, GotoDefinitionResponse, HoverProviderCapability,
    OneOf, SaveOptions, ServerCapabilities, SignatureHelpOptions, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, Url,
};
use rustc_hash::FxHashMap;
use serde_json::Value;

/// What the server can do.
pub(crate) fn capabilities() -> ServerCapabilities {
    let words = |letters: &[&str]| Some(letters.iter().map(|letter| (*letter).to_string()).collect());
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        inlay_hint_provider: Some(OneOf::Left(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: words(&["."]),
            ..CompletionOptions::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: words(&["(", ","]),
            ..SignatureHelpOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

type Documents = FxHashMap<Url, Document>;
type Answer = Result<Value, ResponseError>;

/// The answer to a request.
///
/// # Errors
/// The request is not one of these, or its parameters are not those that the protocol says.
pub(crate) fn answer(documents: &Documents, asked: Asked) -> Answer {
    match asked.method.as_str() {
        HoverRequest::METHOD => of::<HoverRequest>(asked, |params| {
            let at = params.text_document_position_params;
            view(documents, &at.text_document.uri).and_then(|view| hover::hover(&view, at.position))
        }),
        GotoDefinition::METHOD => of::<GotoDefinition>(asked, |params| {
            let at = params.text_document_position_params;
            let uri = &at.text_document.uri;
            let found = view(documents, uri).and_then(|view| symbols::definition(&view, uri, at.position));
            found.map(GotoDefinitionResponse::Scalar)
        }),
        Completion::METHOD => of::<Completion>(asked, |params| {
            let at = params.text_document_position;
            let view = view(documents, &at.text_document.uri)?;
            Some(CompletionResponse::Array(completion::completion(&view, at.position)))
        }),
        SignatureHelpRequest::METHOD => of::<SignatureHelpRequest>(asked, |params| {
            let at = params.text_document_position_params;
            view(documents, &at.text_document.uri).and_then(|view| completion::signature_help(&view, at.position))
        }),
        InlayHintRequest::METHOD => of::<InlayHintRequest>(asked, |params| {
            view(documents, &params.text_document.uri).map(|view| hints::hints(&view, params.range))
        }),
        DocumentSymbolRequest::METHOD => of::<DocumentSymbolRequest>(asked, |params| {
            let view = view(documents, &params.text_document.uri)?;
            Some(DocumentSymbolResponse::Nested(symbols::symbols(&view)))
        }),
        other => Err(error(ErrorCode::MethodNotFound, format!("tk does not answer `{other}`"))),
    }
}

fn view<'d>(documents: &'d Documents, uri: &Url) -> Option<View<'d>> {
    documents.get(uri).map(Document::view)
}

fn of<R: Request>(asked: Asked, answer: impl FnOnce(R::Params) -> R::Result) -> Answer {
    let params = serde_json::from_value(asked.params)
        .map_err(|wrong| error(ErrorCode::InvalidParams, format!("`{}`: {wrong}", asked.method)))?;
    serde_json::to_value(answer(params)).map_err(|wrong| error(ErrorCode::InternalError, wrong.to_string()))
}

fn error(code: ErrorCode, message: String) -> ResponseError {
    ResponseError { code: code as i32, message, data: None }
}
