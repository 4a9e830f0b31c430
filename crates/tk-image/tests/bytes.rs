//! Images and bundles as bytes: what was written comes back, and nothing else is read.

use tk_image::*;
use tk_types::{DotPolicy, Facts, ScalarType};
use tk_why::{AccessKind, Held, Loss, NarrowAccess, Place, Reason, Registers, Subject, Why};

const PTX: &str = ".visible .entry k(.param .u64 x, .param .u64 y, .param .u8 n, .param .u32 m,\n\
    .param .align 64 .b8 d[128], .param .u32 d0, .param .u32 d1, .param .u64 d2, .param .u64 d3,\n\
    .param .align 64 .b8 p[128], .param .u64 scratch)\n{ ret; }\n";

/// Reasons of every shape.
fn why() -> Why {
    let place = Place { file: "k.tk".into(), line: 7, column: 3 };
    let unknown = Reason::UnknownMultiple { name: "n".into(), of: 4 };
    let losses = [(Subject::Mask, unknown), (Subject::Neighbours, Reason::Repeats)].map(|(subject, reason)| Loss {
        subject,
        bits: 32,
        reason,
        place: place.clone(),
    });
    let (kind, losses) = (AccessKind::Load, losses.to_vec());
    let held = Held { name: "x".into(), place: place.clone(), tensor: "8xf32".into(), bytes: 4 };
    Why {
        accesses: vec![NarrowAccess { place: place.clone(), kind, bits: 32, possible_bits: 128, losses }],
        registers: Some(Registers { place, estimate: 9, limit: 255, held: vec![held] }),
        ..Why::default()
    }
}

fn of_pointer(map: TensorMapSpec, base: u32, stride: u32) -> ParamKind {
    ParamKind::MapOfPointer { map, base, stride, rows: MapEnd::Parameter(5), columns: MapEnd::At(7) }
}

/// An image with a parameter of every kind but the base of a descriptor.
fn image() -> KernelImage {
    let map =
        |rows| TensorMapSpec { element: ScalarType::F8E5M2, block: vec![rows, 128], swizzle_bytes: 128, pad_nan: true };
    let extents = [ScalarType::I32, ScalarType::I32, ScalarType::I64, ScalarType::I64];
    let mut params = vec![
        ImageParam::pointer("x", Some(ScalarType::BF16)),
        ImageParam::pointer("y", None),
        ImageParam::scalar("n", ScalarType::I1),
        ImageParam { facts: Facts::from_suffix(64, true).unwrap(), ..ImageParam::scalar("m", ScalarType::I32) },
        ImageParam::new("d", ParamKind::TensorMap(map(64))),
    ];
    params.extend(extents.map(|ty| ImageParam::scalar("d", ty)));
    params.push(ImageParam::new("x", of_pointer(map(32), 0, 3)));
    KernelImage {
        entry: "k".into(),
        ptx: PTX.into(),
        cubin: Some(vec![0, 159, 146, 150]),
        params,
        num_warps: 8,
        num_ctas: 2,
        shared_bytes: 4096,
        global_scratch_bytes: 128,
        target: "sm_90a".into(),
        resources: ResourceUse {
            registers: Some(32),
            spill_bytes: None,
            instructions: 7,
            shared_buffers: vec![("a tile \"quoted\"".into(), 0, 4096)],
            scalar_dots: vec!["full f32 (line 3)".into()],
            why: why(),
            dots: DotPolicy::Wait,
        },
        limits: LaunchLimits {
            numbers: vec![NumberLimit { param: 3, low: 64, high: 1 << 20 }],
            grid: [Some(GridLimit { high: 132 }), None, None],
        },
    }
}

fn bundle() -> Bundle {
    let (special, general) = (image(), KernelImage { cubin: None, target: "sm_80".into(), ..image() });
    Bundle {
        name: "kernels".into(),
        compiler: "tk 0".into(),
        at_run_time: AtRunTime::DriverMayCompile,
        entries: vec![BundleEntry {
            name: "k_large".into(),
            kernel: "k".into(),
            made_from: "a digest".into(),
            constants: vec![Constant { name: "BLOCK".into(), value: "128".into() }],
            arguments: BundleEntry::arguments_of(&special),
            variants: vec![Variant { signature: "*bf16,…".into(), images: vec![special, general] }],
        }],
        tunings: vec![BundledTuning {
            kernel: "k".into(),
            key: "n=1".into(),
            gpu: "a GPU".into(),
            entry: "k_large".into(),
        }],
    }
}

#[test]
fn what_was_written_comes_back() {
    for image in [image(), KernelImage { cubin: None, ..image() }] {
        assert_eq!(decode_image(&image.to_bytes()), Ok(image.clone()));
        let json = serde_json::to_string(&image).unwrap();
        assert!(json.contains("\"fp8e5\""), "element types have their names: {json}");
        assert_eq!(serde_json::from_str::<KernelImage>(&json).unwrap(), image);
    }
    let bundle = bundle();
    assert_eq!(Bundle::from_bytes(&bundle.to_bytes()), Ok(bundle.clone()));
    assert_eq!(bundle.targets(), ["sm_90a", "sm_80"]);
    let tuned = |key: &str, gpu: &str| bundle.tuned("k", key, gpu).map(|entry| entry.name.as_str());
    assert_eq!(tuned("n=1", "a GPU"), Some("k_large"));
    assert_eq!(tuned("n=1", "another GPU"), Some("k_large"));
    assert_eq!(tuned("n=2", "a GPU"), None);
    let mut other = bundle.clone();
    other.tunings[0].entry = "absent".into();
    assert!(
        matches!(Bundle::from_bytes(&other.to_bytes()), Err(ImageError::Invalid(text)) if text.contains("`absent`"))
    );
    assert!(bundle.entry("k_large").is_some() && bundle.entry("k").is_none());
}

#[test]
fn bytes_that_were_cut_or_changed_are_refused() {
    let whole = bundle().to_bytes();
    for length in 0..whole.len() {
        assert!(Bundle::from_bytes(&whole[..length]).is_err(), "cut at {length}");
    }
    for index in 0..whole.len() {
        let mut changed = whole.clone();
        changed[index] ^= 0x20;
        assert!(Bundle::from_bytes(&changed).is_err(), "byte {index} changed");
    }
    assert_eq!(Bundle::from_bytes(&image().to_bytes()), Err(ImageError::OtherFormat));
}

#[test]
fn another_version_says_what_to_do() {
    let mut bytes = bundle().to_bytes();
    bytes[8] = 77;
    let error = Bundle::from_bytes(&bytes).unwrap_err();
    assert!(matches!(error, ImageError::Version { found: 77, .. }));
    assert!(error.to_string().contains("update tk"), "{error}");
}

/// Changed data with a checksum that fits, as somebody with an intention writes it: never a panic, and never an image that is not valid.
#[test]
fn data_under_a_right_checksum_is_not_trusted_either() {
    let whole = bundle().to_bytes();
    let data = &whole[28..];
    let mut read = 0;
    for index in 0..data.len() {
        for change in [0x01, 0x7f, 0x80, 0xff] {
            let mut changed = data.to_vec();
            changed[index] ^= change;
            let mut bytes = whole[..12].to_vec();
            bytes.extend(checksum(&changed).to_le_bytes());
            bytes.extend(changed);
            if let Ok(bundle) = Bundle::from_bytes(&bytes) {
                read += 1;
                assert_eq!(bundle.validate(), Ok(()));
            }
        }
    }
    assert!(read > 0, "changes of names and code are still bundles");
}

#[test]
fn offsets_follow_the_rules_of_ptx() {
    assert_eq!(image().offsets().unwrap(), [0, 8, 16, 20, 64, 192, 196, 200, 208, 256, 384]);
    assert_eq!(image().hidden_parameters(), Ok(1));
}

fn refused(change: impl FnOnce(&mut KernelImage)) -> String {
    let mut image = image();
    change(&mut image);
    image.validate().unwrap_err().to_string()
}

#[test]
fn images_whose_parts_do_not_fit_are_refused() {
    assert!(refused(|image| image.num_warps = 33).contains("33 warps"));
    assert!(refused(|image| image.num_ctas = 0).contains("clusters of 0"));
    assert!(refused(|image| image.entry = "a b".into()).contains("no identifier"));
    assert!(refused(|image| image.params[0].facts.multiple_of = 0).contains("multiple of 0"));
    assert!(
        refused(|image| image.params[3].kind = ParamKind::Scalar(ScalarType::I64)).contains("8 bytes in the image")
    );
    assert!(refused(|image| image.params.truncate(6)).contains("sizes and strides are missing"));
    assert!(refused(|image| image.limits.numbers[0].param = 0).contains("is no number"));
    assert!(refused(|image| image.ptx = String::new()).contains("no entry point"));
    let of = |base, stride| {
        let map = TensorMapSpec { element: ScalarType::F16, block: vec![8, 8], swizzle_bytes: 0, pad_nan: false };
        of_pointer(map, base, stride)
    };
    assert!(refused(|image| image.params[9].kind = of(3, 3)).contains("no map of a matrix"));
    for end in [MapEnd::At(0), MapEnd::At(1 << 31), MapEnd::Parameter(0), MapEnd::Parameter(99)] {
        let with_end = |image: &mut KernelImage| {
            if let ParamKind::MapOfPointer { rows, .. } = &mut image.params[9].kind {
                *rows = end;
            }
        };
        assert!(refused(with_end).contains("end where no number says"));
    }
    let before_others = |image: &mut KernelImage| {
        let mut map = image.params.remove(9);
        if let ParamKind::MapOfPointer { rows, .. } = &mut map.kind {
            *rows = MapEnd::Nowhere;
        }
        image.params.insert(4, map);
    };
    assert!(refused(before_others).contains("before another parameter"));
    assert!(refused(|image| image.params[9].kind = of(0, 99)).contains("no map of a matrix"));
}

#[test]
fn a_promise_of_machine_code_is_checked() {
    let promising = Bundle { at_run_time: AtRunTime::Nothing, ..bundle() };
    let error = promising.validate().unwrap_err().to_string();
    assert!(error.contains("no machine code for sm_80"), "{error}");
}
